package facet.device.cpu.random;

import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Opcode;
import facet.ptx.Operand;
import facet.ptx.Type;

/** Moves, selection and integer arithmetic, each written down as the PTX ISA describes it. */
final class Arithmetic {
    private Arithmetic() {}

    static void execute(Lane lane, Instruction instruction) {
        Type type = instruction.type();
        switch (instruction.opcode()) {
            case MOV, CVTA ->
                    lane.write(
                            instruction.operand(0), type, lane.read(instruction.operand(1), type));
            case CVT -> Conversion.execute(lane, instruction);
            case SETP -> Conversion.compare(lane, instruction);
            case SELP -> {
                boolean first = lane.read(instruction.operand(3), Type.PRED) != 0;
                lane.write(
                        instruction.operand(0),
                        type,
                        lane.read(instruction.operand(first ? 1 : 2), type));
            }
            case SLCT -> {
                boolean first = lane.read(instruction.operand(3), Type.S32) >= 0;
                lane.write(
                        instruction.operand(0),
                        type,
                        lane.read(instruction.operand(first ? 1 : 2), type));
            }
            default -> {
                if (type.isFloat()) {
                    Floats.execute(lane, instruction);
                } else {
                    integer(lane, instruction, type);
                }
            }
        }
    }

    private static void integer(Lane lane, Instruction instruction, Type type) {
        long a = lane.read(instruction.operand(1), type);
        long b = value(lane, instruction, 2, type);
        boolean wide = instruction.has(Modifier.WIDE);
        Type result = wide ? twice(type) : type;
        long c = value(lane, instruction, 3, result);
        long value =
                switch (instruction.opcode()) {
                    case ADD, ADDC -> add(lane, instruction, type, a, b);
                    case SUB -> a - b;
                    case MUL -> product(instruction, type, a, b);
                    case MAD -> product(instruction, type, a, b) + c;
                    case DIV -> type.isSigned() ? a / b : Long.divideUnsigned(a, b);
                    case REM -> type.isSigned() ? a % b : Long.remainderUnsigned(a, b);
                    case ABS -> Math.abs(a);
                    case NEG -> -a;
                    case MIN -> less(type, a, b) ? a : b;
                    case MAX -> less(type, a, b) ? b : a;
                    case SAD -> c + (less(type, a, b) ? b - a : a - b);
                    case AND -> a & b;
                    case OR -> a | b;
                    case XOR -> a ^ b;
                    case NOT -> ~a;
                    case SHL, SHR -> shift(lane, instruction, type, a);
                    default -> Bits.execute(lane, instruction);
                };
        boolean count = instruction.opcode() == Opcode.POPC || instruction.opcode() == Opcode.CLZ;
        lane.write(instruction.operand(0), count ? Type.U32 : result, value);
    }

    private static long value(Lane lane, Instruction instruction, int operand, Type type) {
        return operand < instruction.operands().size()
                        && !(instruction.operand(operand) instanceof Operand.PredicatePair)
                ? lane.read(instruction.operand(operand), type)
                : 0;
    }

    /** Only 32-bit additions carry here. */
    private static long add(Lane lane, Instruction instruction, Type type, long a, long b) {
        long sum = a + b + (instruction.opcode() == Opcode.ADDC ? lane.carry : 0);
        if (instruction.has(Modifier.CC)) {
            if (type != Type.U32) {
                throw new IllegalStateException(instruction.mnemonic());
            }
            lane.carry = sum >>> 32;
        }
        return sum;
    }

    private static Type twice(Type type) {
        return switch (type) {
            case U16 -> Type.U32;
            case S16 -> Type.S32;
            case U32 -> Type.U64;
            default -> Type.S64;
        };
    }

    private static long product(Instruction instruction, Type type, long a, long b) {
        if (!instruction.has(Modifier.HI)) {
            return a * b;
        }
        if (type.bits() == 64) {
            return type.isSigned() ? Math.multiplyHigh(a, b) : Math.unsignedMultiplyHigh(a, b);
        }
        return a * b >> type.bits();
    }

    static boolean less(Type type, long a, long b) {
        return type.isSigned() ? a < b : Long.compareUnsigned(a, b) < 0;
    }

    /** Amounts beyond the width count as the width. */
    private static long shift(Lane lane, Instruction instruction, Type type, long a) {
        long amount = Math.min(lane.read(instruction.operand(2), Type.U32), type.bits());
        if (instruction.opcode() == Opcode.SHL) {
            return amount >= 64 ? 0 : a << amount;
        }
        if (amount >= 64) {
            return type.isSigned() && a < 0 ? -1 : 0;
        }
        return type.isSigned() ? a >> amount : a >>> amount;
    }

    /** The operation of atomics and reductions. */
    static long combine(Instruction instruction, Type type, long a, long b) {
        if (instruction.has(Modifier.ADD)) {
            return a + b;
        } else if (instruction.has(Modifier.MIN)) {
            return less(type, a, b) ? a : b;
        } else if (instruction.has(Modifier.MAX)) {
            return less(type, a, b) ? b : a;
        } else if (instruction.has(Modifier.AND)) {
            return a & b;
        } else if (instruction.has(Modifier.OR)) {
            return a | b;
        } else if (instruction.has(Modifier.XOR)) {
            return a ^ b;
        }
        throw new IllegalStateException(instruction.mnemonic());
    }
}
