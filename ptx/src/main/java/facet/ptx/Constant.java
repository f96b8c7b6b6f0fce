package facet.ptx;

/**
 * The value of a constant expression (PTX ISA 4.6).
 *
 * @param kind S64, U64, F64, or F32 for an exact {@code 0f…} literal
 * @param bits the integer, or the float's bits
 */
record Constant(Type kind, long bits) {
    static Constant integer(long value, boolean unsigned) {
        return new Constant(unsigned ? Type.U64 : Type.S64, value);
    }

    static Constant floating(double value) {
        return new Constant(Type.F64, Double.doubleToRawLongBits(value));
    }

    static Constant truth(boolean value) {
        return new Constant(Type.S64, value ? 1 : 0);
    }

    boolean isFloat() {
        return kind.isFloat();
    }

    boolean isUnsigned() {
        return kind == Type.U64;
    }

    double number() {
        if (kind == Type.F64) {
            return Double.longBitsToDouble(bits);
        }
        if (kind == Type.U64 && bits < 0) {
            return ((bits >>> 1) | (bits & 1)) * 2.0;
        }
        return bits;
    }

    boolean isTrue() {
        return isFloat() ? number() != 0 : bits != 0;
    }

    Operand operand() {
        return isFloat()
                ? new Operand.FloatImmediate(kind, bits)
                : new Operand.IntegerImmediate(bits, isUnsigned());
    }
}
