package facet.jit.emit;

import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Register;
import facet.ptx.Type;
import facet.ptx.flow.DefUse;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Which vector operation does what an instruction does, by name. */
final class RowNames {
    /** Done by one or two intrinsics. */
    private static final Set<String> COMPOSED =
            Set.of("madLoB32", "mulLoB32", "rcpF32", "rsqrtF32", "madLoB64", "mulLoB64", "rcpF64");

    /** Done by a method of {@link facet.jit.runtime.RowFunctions}. */
    private static final Set<String> FUNCTIONS = Set.of("ex2F32", "lg2F32", "sinF32", "cosF32");

    /** Done by a method of {@link facet.jit.runtime.RowHalves}. */
    private static final Set<String> HALVES =
            Set.of("addF16", "subF16", "mulF16", "fmaF16", "addH32", "subH32", "mulH32", "fmaH32");

    private RowNames() {}

    /** The vector operation that does exactly what the instruction does, by name. */
    static Optional<String> of(Instruction instruction) {
        Type type = instruction.typeAt(0);
        if (type == null || instruction.has(Modifier.SAT)) {
            return Optional.empty();
        }
        if (instruction.has(Modifier.FTZ)
                && (type != Type.F32 || instruction.opcode() == Opcode.CVT)) {
            return Optional.empty();
        }
        if (RowConversions.isConversion(instruction)
                || RowConversions.isWideProduct(instruction)
                || RowShorts.handles(instruction)) {
            return Optional.of("convert");
        }
        Stream<Register> registers =
                Stream.concat(
                        DefUse.definitions(instruction).stream(),
                        DefUse.uses(instruction).stream());
        boolean same =
                registers.allMatch(each ->
                        each.lanes() == 1
                                && (each.type() == Type.PRED
                                        || each.type().bits() == Math.max(type.bits(), 16)));
        if (!same) {
            return Optional.empty();
        }
        return Optional.ofNullable(name(instruction, type))
                .filter(name ->
                        RowMethods.has(name)
                                || COMPOSED.contains(name)
                                || FUNCTIONS.contains(name)
                                || HALVES.contains(name)
                                || RowCalls.has(name));
    }

    private static boolean isDirected(Instruction instruction) {
        return instruction.has(Modifier.RZ)
                || instruction.has(Modifier.RM)
                || instruction.has(Modifier.RP);
    }

    private static @org.jspecify.annotations.Nullable String name(
            Instruction instruction, Type type) {
        String opcode = instruction.opcode().text();
        boolean wide = type.bits() == 64;
        boolean bits = !type.isFloat() && (type.bits() == 32 || wide) && !type.isPacked();
        boolean floats = type == Type.F32 || type == Type.F64;
        String suffix = (floats ? "F" : "B") + type.bits();
        return switch (instruction.opcode()) {
            case ADD, SUB, MUL, FMA, MAD -> {
                if (instruction.has(Modifier.CC) || isDirected(instruction)) {
                    yield null;
                }
                if (type == Type.F16 || type == Type.F16X2) {
                    yield instruction.has(Modifier.RELU)
                            ? null
                            : opcode + (type == Type.F16 ? "F16" : "H32");
                }
                if (floats) {
                    yield (instruction.opcode() == Opcode.MAD ? "fma" : opcode) + suffix;
                }
                boolean product =
                        instruction.opcode() == Opcode.MUL || instruction.opcode() == Opcode.MAD;
                yield bits && (!product || instruction.has(Modifier.LO))
                        ? opcode + (product ? "Lo" : "") + suffix
                        : null;
            }
            case DIV -> {
                boolean approximate = instruction.has(Modifier.APPROX);
                yield !floats || isDirected(instruction)
                        ? null
                        : approximate ? "divApprox" + suffix : opcode + suffix;
            }
            case EX2, LG2, SIN, COS -> type == Type.F32 ? opcode + suffix : null;
            case RCP, SQRT, RSQRT ->
                    (type == Type.F32 || type == Type.F64 && instruction.has(Modifier.RN))
                                    && !isDirected(instruction)
                            ? opcode + suffix
                            : null;
            case NEG -> floats || bits ? opcode + suffix : null;
            case ABS -> floats ? opcode + suffix : type == Type.S32 ? "absS32" : null;
            case AND, OR, XOR, NOT ->
                    type == Type.PRED ? opcode + "Pred" : bits ? opcode + suffix : null;
            case MIN, MAX -> {
                boolean plain =
                        instruction.operands().size() == 3
                                && instruction.suffixes().stream()
                                        .allMatch(each ->
                                                each instanceof Type || each == Modifier.FTZ);
                yield !plain || type.isPacked()
                        ? null
                        : opcode + (floats ? "F" : type.isSigned() ? "S" : "U") + type.bits();
            }
            case SHL, SHR ->
                    bits
                                    && instruction.operand(2) instanceof Operand.IntegerImmediate by
                                    && by.value() >= 0
                                    && by.value() < type.bits()
                            ? opcode
                                    + (instruction.opcode() == Opcode.SHL
                                            ? "B"
                                            : type.isSigned() ? "S" : "U")
                                    + type.bits()
                            : null;
            case MOV ->
                    isValue(instruction.operand(1)) && type.bits() >= 16 && type.bits() <= 64
                            ? "spreadB32"
                            : null;
            case CVT -> conversion(instruction);
            case SETP -> comparison(instruction, type);
            case SELP -> floats || bits ? "select" + suffix : null;
            default -> null;
        };
    }

    private static boolean isValue(Operand operand) {
        return operand instanceof Register
                || operand instanceof Operand.IntegerImmediate
                || operand instanceof Operand.FloatImmediate;
    }

    private static @org.jspecify.annotations.Nullable String conversion(Instruction instruction) {
        if (instruction.type() == Type.F32
                && instruction.typeAt(1) == Type.S32
                && !isDirected(instruction)) {
            return "convertS32";
        }
        boolean truncates = instruction.has(Modifier.RZI);
        return instruction.type() == Type.S32 && instruction.typeAt(1) == Type.F32 && truncates
                ? "convertF32"
                : null;
    }

    private static @org.jspecify.annotations.Nullable String comparison(
            Instruction instruction, Type type) {
        if (instruction.operands().size() != 3 || !(instruction.operand(0) instanceof Register)) {
            return null;
        }
        String relation = instruction.suffixes().getFirst().text();
        if (type == Type.F32 || type == Type.F64) {
            return relation + "F" + type.bits();
        }
        if (type.isFloat() || type.bits() != 32 && type.bits() != 64) {
            return null;
        }
        boolean equality = relation.equals("eq") || relation.equals("ne");
        return relation + (equality ? "B" : type.isSigned() ? "S" : "U") + type.bits();
    }
}
