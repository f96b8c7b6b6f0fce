package facet.ptx;

import org.jspecify.annotations.Nullable;

/**
 * What a name means by its spelling alone: opcode, suffix or predefined register. Their numbers in
 * {@link Names} are the same in every parse, so a lookup is one array access.
 */
final class Keywords {
    private static final Names NAMES = new Names(1024);
    private static final Object[] MEANINGS = new Object[2048];

    /** {@code WARP_SZ}, an immediate (PTX ISA 6.4.5). */
    static final int WARP_SIZE = NAMES.intern("WARP_SZ");

    /** {@code _}, the result nobody wants. */
    static final int SINK = NAMES.intern("_");

    static final int GENERIC = NAMES.intern("generic");

    private static final int SIZE;

    static {
        for (Opcode each : Opcode.values()) {
            MEANINGS[NAMES.intern(each.text())] = each;
        }
        // The first wins: .b1 is the type, not the byte selector of video instructions.
        suffixes(Type.values());
        suffixes(Space.values());
        suffixes(Modifier.values());
        for (SpecialRegister each : SpecialRegister.values()) {
            special(each);
        }
        SIZE = NAMES.size();
    }

    private Keywords() {}

    private static void suffixes(Suffix[] all) {
        for (Suffix each : all) {
            int id = NAMES.intern("." + each.text());
            if (MEANINGS[id] == null) {
                MEANINGS[id] = each;
            }
        }
    }

    private static void special(SpecialRegister register) {
        if (register.isVector() || register.components() == 1) {
            int lane = register.isVector() ? Operand.Special.WHOLE : 0;
            MEANINGS[NAMES.intern(register.text(lane))] = new Operand.Special(register, lane);
            return;
        }
        for (int lane = 0; lane < register.components(); lane++) {
            MEANINGS[NAMES.intern(register.text(lane))] = new Operand.Special(register, lane);
        }
    }

    /** A table that already holds every keyword. */
    static Names names() {
        return NAMES.copy();
    }

    static @Nullable Opcode opcode(int name) {
        return name < SIZE && MEANINGS[name] instanceof Opcode opcode ? opcode : null;
    }

    static @Nullable Suffix suffix(int name) {
        return name < SIZE && MEANINGS[name] instanceof Suffix suffix ? suffix : null;
    }

    static Operand.@Nullable Special special(int name) {
        return name < SIZE && MEANINGS[name] instanceof Operand.Special special ? special : null;
    }
}
