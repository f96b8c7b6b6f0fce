package facet.ptx;

import facet.ptx.PtxException.Kind;

/** The operators of constant expressions (PTX ISA 4.6.3 to 4.6.5). */
final class Evaluate {
    private Evaluate() {}

    static Constant unary(int operator, Constant value, Position position) {
        if (value.isFloat()) {
            long sign = value.kind() == Type.F32 ? 1L << 31 : Long.MIN_VALUE;
            return switch (operator) {
                case '+' -> value;
                case '-' -> new Constant(value.kind(), value.bits() ^ sign);
                case '!' -> Constant.truth(!value.isTrue());
                default -> throw integersOnly(operator, position);
            };
        }
        long bits = value.bits();
        return switch (operator) {
            case '+' -> value;
            case '-' -> new Constant(value.kind(), -bits);
            case '~' -> new Constant(value.kind(), ~bits);
            default -> Constant.truth(bits == 0);
        };
    }

    static Constant binary(int operator, Constant left, Constant right, Position position) {
        if (left.kind() == Type.F32 || right.kind() == Type.F32) {
            throw new PtxException(
                    Kind.INVALID, position, "a 0f literal cannot be part of an expression");
        }
        if (left.isFloat() || right.isFloat()) {
            return floats(operator, left, right, position);
        }
        boolean unsigned = left.isUnsigned() || right.isUnsigned();
        long a = left.bits();
        long b = right.bits();
        return switch (operator) {
            case '+' -> Constant.integer(a + b, unsigned);
            case '-' -> Constant.integer(a - b, unsigned);
            case '*' -> Constant.integer(a * b, unsigned);
            case '/', '%' -> divide(operator == '/', a, b, unsigned, position);
            case '&' -> Constant.integer(a & b, unsigned);
            case '^' -> Constant.integer(a ^ b, unsigned);
            case '|' -> Constant.integer(a | b, unsigned);
            case '<' << 8 | '<' -> Constant.integer(b >>> 6 == 0 ? a << b : 0, left.isUnsigned());
            case '>' << 8 | '>' -> shiftRight(a, b, left.isUnsigned());
            case '&' << 8 | '&' -> Constant.truth(a != 0 && b != 0);
            case '|' << 8 | '|' -> Constant.truth(a != 0 || b != 0);
            default ->
                    Constant.truth(
                            holds(
                                    operator,
                                    unsigned ? Long.compareUnsigned(a, b) : Long.compare(a, b)));
        };
    }

    private static Constant divide(
            boolean quotient, long a, long b, boolean unsigned, Position position) {
        if (b == 0) {
            throw new PtxException(
                    Kind.INVALID, position, "division by zero in a constant expression");
        }
        long result;
        if (unsigned) {
            result = quotient ? Long.divideUnsigned(a, b) : Long.remainderUnsigned(a, b);
        } else {
            result = quotient ? a / b : a % b;
        }
        return Constant.integer(result, unsigned);
    }

    private static Constant shiftRight(long a, long b, boolean unsigned) {
        if (b >>> 6 != 0) {
            return Constant.integer(unsigned || a >= 0 ? 0 : -1, unsigned);
        }
        return Constant.integer(unsigned ? a >>> b : a >> b, unsigned);
    }

    private static Constant floats(int operator, Constant left, Constant right, Position position) {
        double a = left.number();
        double b = right.number();
        return switch (operator) {
            case '+' -> Constant.floating(a + b);
            case '-' -> Constant.floating(a - b);
            case '*' -> Constant.floating(a * b);
            case '/' -> Constant.floating(a / b);
            case '&' << 8 | '&' -> Constant.truth(a != 0 && b != 0);
            case '|' << 8 | '|' -> Constant.truth(a != 0 || b != 0);
            case '=' << 8 | '=' -> Constant.truth(a == b);
            case '!' << 8 | '=' -> Constant.truth(a != b);
            case '<' -> Constant.truth(a < b);
            case '>' -> Constant.truth(a > b);
            case '<' << 8 | '=' -> Constant.truth(a <= b);
            case '>' << 8 | '=' -> Constant.truth(a >= b);
            default -> throw integersOnly(operator, position);
        };
    }

    private static boolean holds(int operator, int order) {
        return switch (operator) {
            case '=' << 8 | '=' -> order == 0;
            case '!' << 8 | '=' -> order != 0;
            case '<' -> order < 0;
            case '>' -> order > 0;
            case '<' << 8 | '=' -> order <= 0;
            default -> order >= 0;
        };
    }

    private static PtxException integersOnly(int operator, Position position) {
        String text =
                operator < 256
                        ? "" + (char) operator
                        : "" + (char) (operator >> 8) + (char) (operator & 255);
        return new PtxException(Kind.INVALID, position, "'" + text + "' takes integers only");
    }
}
