package facet.device.cpu.random;

import facet.ptx.Instruction;
import facet.ptx.Modifier;
import facet.ptx.Operand;
import facet.ptx.Suffix;
import facet.ptx.Type;

/** Between types, and from two values to a predicate. */
final class Conversion {
    private Conversion() {}

    static void execute(Lane lane, Instruction instruction) {
        Type to = instruction.type();
        Type from = instruction.typeAt(1);
        if (from == null) {
            throw new IllegalStateException(instruction.mnemonic());
        }
        long bits = lane.read(instruction.operand(1), from);
        lane.write(instruction.operand(0), to, convert(instruction, to, from, bits));
    }

    private static long convert(Instruction instruction, Type to, Type from, long bits) {
        if (!from.isFloat()) {
            return switch (to) {
                case F32 -> Float.floatToRawIntBits((float) bits);
                case F64 -> Double.doubleToRawLongBits((double) bits);
                default -> bits;
            };
        }
        double value = number(from, bits);
        return switch (to) {
            case F32 -> Float.floatToRawIntBits((float) value);
            case F64 -> Double.doubleToRawLongBits(value);
            case S32 -> (int) rounded(instruction, value);
            case U32 -> (long) Math.clamp(rounded(instruction, value), 0, 0xffff_ffffL);
            default -> throw new IllegalStateException(instruction.mnemonic());
        };
    }

    private static double number(Type type, long bits) {
        return type == Type.F32 ? Float.intBitsToFloat((int) bits) : Double.longBitsToDouble(bits);
    }

    private static double rounded(Instruction instruction, double value) {
        if (instruction.has(Modifier.RNI)) {
            return Math.rint(value);
        } else if (instruction.has(Modifier.RMI)) {
            return Math.floor(value);
        } else if (instruction.has(Modifier.RPI)) {
            return Math.ceil(value);
        }
        return value < 0 ? Math.ceil(value) : Math.floor(value);
    }

    /** {@code setp}: with one or two results, and a third predicate combined into both. */
    static void compare(Lane lane, Instruction instruction) {
        Type type = instruction.type();
        long a = lane.read(instruction.operand(1), type);
        long b = lane.read(instruction.operand(2), type);
        boolean holds = holds(instruction, type, a, b);
        Operand result = instruction.operand(0);
        Operand first = result instanceof Operand.PredicatePair pair ? pair.first() : result;
        lane.write(first, Type.PRED, combined(lane, instruction, holds));
        if (result instanceof Operand.PredicatePair pair) {
            lane.write(pair.second(), Type.PRED, combined(lane, instruction, !holds));
        }
    }

    private static long combined(Lane lane, Instruction instruction, boolean holds) {
        long value = holds ? 1 : 0;
        if (instruction.operands().size() < 4) {
            return value;
        }
        long other = lane.read(instruction.operand(3), Type.PRED);
        if (instruction.has(Modifier.AND)) {
            return value & other;
        }
        return instruction.has(Modifier.OR) ? value | other : value ^ other;
    }

    private static boolean holds(Instruction instruction, Type type, long a, long b) {
        int order;
        if (type.isFloat()) {
            double left = number(type, a);
            double right = number(type, b);
            order = left < right ? -1 : left > right ? 1 : 0;
        } else {
            order = a == b ? 0 : Arithmetic.less(type, a, b) ? -1 : 1;
        }
        for (Suffix suffix : instruction.suffixes()) {
            if (suffix instanceof Modifier modifier) {
                switch (modifier) {
                    case EQ -> {
                        return order == 0;
                    }
                    case NE -> {
                        return order != 0;
                    }
                    case LT -> {
                        return order < 0;
                    }
                    case LE -> {
                        return order <= 0;
                    }
                    case GT -> {
                        return order > 0;
                    }
                    case GE -> {
                        return order >= 0;
                    }
                    default -> {}
                }
            }
        }
        throw new IllegalStateException(instruction.mnemonic());
    }
}
