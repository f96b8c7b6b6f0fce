package facet.device.cpu.random;

import facet.ptx.Instruction;
import facet.ptx.Operand;
import facet.ptx.Type;

/** Floating point, rounded to nearest even. The payload of a NaN is not PTX's. */
final class Floats {
    private Floats() {}

    static void execute(Lane lane, Instruction instruction) {
        Type type = instruction.type();
        long[] bits = new long[4];
        for (int i = 1; i < instruction.operands().size(); i++) {
            bits[i] = lane.read(instruction.operand(i), type);
        }
        Operand result = instruction.operand(0);
        if (type == Type.F32) {
            float value =
                    single(
                            instruction,
                            Float.intBitsToFloat((int) bits[1]),
                            Float.intBitsToFloat((int) bits[2]),
                            Float.intBitsToFloat((int) bits[3]));
            lane.write(result, type, Float.floatToRawIntBits(value));
        } else {
            double value =
                    twice(
                            instruction,
                            Double.longBitsToDouble(bits[1]),
                            Double.longBitsToDouble(bits[2]),
                            Double.longBitsToDouble(bits[3]));
            lane.write(result, type, Double.doubleToRawLongBits(value));
        }
    }

    private static float single(Instruction instruction, float a, float b, float c) {
        return switch (instruction.opcode()) {
            case ADD -> a + b;
            case SUB -> a - b;
            case MUL -> a * b;
            case FMA -> Math.fma(a, b, c);
            case DIV -> a / b;
            case SQRT -> (float) Math.sqrt(a);
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
            case NEG -> -a;
            case ABS -> Math.abs(a);
            default -> throw new IllegalStateException(instruction.mnemonic());
        };
    }

    private static double twice(Instruction instruction, double a, double b, double c) {
        return switch (instruction.opcode()) {
            case ADD -> a + b;
            case SUB -> a - b;
            case MUL -> a * b;
            case FMA -> Math.fma(a, b, c);
            case DIV -> a / b;
            case SQRT -> Math.sqrt(a);
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
            case NEG -> -a;
            case ABS -> Math.abs(a);
            default -> throw new IllegalStateException(instruction.mnemonic());
        };
    }
}
