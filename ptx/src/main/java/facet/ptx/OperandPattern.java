package facet.ptx;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One operand of a {@link Form}, as the head of {@code instructions.table} explains it.
 *
 * @param typeIndex which type of the mnemonic it has (0 is T), or -1 when {@code type} says it
 * @param type the type where it does not depend on the mnemonic
 * @param wider a register may be wider than the type
 * @param vector there are as many as {@code .v2}, {@code .v4} or {@code .v8} say
 * @param symbol a special register or the address of a symbol is accepted too
 * @param negatable {@code !p} is accepted
 * @param count how many registers in braces, whatever the mnemonic says; 0: it says so
 */
public record OperandPattern(
        String name,
        Kind kind,
        int typeIndex,
        @Nullable Type type,
        boolean wider,
        boolean vector,
        boolean symbol,
        boolean negatable,
        Pair pair,
        boolean optional,
        int count) {

    /** What the operand is. */
    public enum Kind {
        VALUE,
        TWICE,
        PACK,
        ADDRESS,
        TEXTURE,
        SURFACE,
        GEOMETRY,
        IMMEDIATE,
        FLOAT_IMMEDIATE,
        POLICY,
        LABEL,
        TARGETS,
        CALL
    }

    /** Whether a second result stands behind a bar: {@code d|p}. */
    public enum Pair {
        NONE,
        OPTIONAL,
        REQUIRED
    }

    public boolean isResult() {
        return name.equals("d");
    }

    /** The type that the operand has in the instruction; null where it has none. */
    public @Nullable Type typeIn(Instruction instruction) {
        Type found = typeIndex >= 0 ? instruction.typeAt(typeIndex) : type;
        return kind == Kind.TWICE && found != null ? twice(found) : found;
    }

    /** How many values the operand holds in the instruction. */
    public int lanesIn(Instruction instruction) {
        return count > 0 ? count : vector ? lanes(instruction) : 1;
    }

    private static int lanes(Instruction instruction) {
        if (instruction.has(Modifier.V2)) {
            return 2;
        }
        if (instruction.has(Modifier.V4)) {
            return 4;
        }
        return instruction.has(Modifier.V8) ? 8 : 1;
    }

    private static Type twice(Type type) {
        return switch (type) {
            case U16 -> Type.U32;
            case U32 -> Type.U64;
            case S16 -> Type.S32;
            case S32 -> Type.S64;
            default -> throw new IllegalStateException("2T of " + type);
        };
    }

    static OperandPattern address(String name) {
        return new OperandPattern(
                name, Kind.ADDRESS, -1, null, false, false, false, false, Pair.NONE, false, 0);
    }

    /** {@code [a,b?,c:U]} or {@code [a,b:s32]}. */
    static OperandPattern indexed(String text) {
        boolean texture = text.endsWith(":U");
        return new OperandPattern(
                text,
                texture ? Kind.TEXTURE : Kind.SURFACE,
                texture ? 1 : -1,
                texture ? null : Type.S32,
                false,
                false,
                false,
                false,
                Pair.NONE,
                false,
                0);
    }

    static OperandPattern parse(String name, String kind, Pair pair, boolean optional) {
        boolean negatable = kind.startsWith("!");
        String core = negatable ? kind.substring(1) : kind;
        boolean symbol = core.endsWith("&");
        core = symbol ? core.substring(0, core.length() - 1) : core;
        boolean vector = core.endsWith("*");
        core = vector ? core.substring(0, core.length() - 1) : core;
        boolean wider = core.endsWith("+");
        core = wider ? core.substring(0, core.length() - 1) : core;
        int count = 0;
        if (Character.isDigit(core.charAt(0)) && core.endsWith(")")) {
            int open = core.indexOf('(');
            count = Integer.parseInt(core, 0, open, 10);
            core = core.substring(open + 1, core.length() - 1);
        }
        int typeIndex = -1;
        Type type = null;
        Kind what = Kind.VALUE;
        if (core.endsWith("#")) {
            what = Kind.GEOMETRY;
            core = core.substring(0, core.length() - 1);
        }
        switch (core) {
            case "T" -> typeIndex = 0;
            case "U" -> typeIndex = 1;
            case "2T" -> {
                what = Kind.TWICE;
                typeIndex = 0;
            }
            case "pack(T)" -> {
                what = Kind.PACK;
                typeIndex = 0;
            }
            case "imm" -> what = Kind.IMMEDIATE;
            case "fimm" -> what = Kind.FLOAT_IMMEDIATE;
            case "policy" -> {
                what = Kind.POLICY;
                type = Type.B64;
            }
            case "label" -> what = Kind.LABEL;
            case "targets" -> what = Kind.TARGETS;
            case "call" -> what = Kind.CALL;
            default -> type = Type.valueOf(core.toUpperCase(Locale.ROOT));
        }
        return new OperandPattern(
                name, what, typeIndex, type, wider, vector, symbol, negatable, pair, optional,
                count);
    }
}
