package facet.jit.emit;

import static java.lang.constant.ConstantDescs.CD_double;
import static java.lang.constant.ConstantDescs.CD_float;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import facet.jit.pass.Kinds.Kind;
import facet.ptx.Operand;
import facet.ptx.Type;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;

/** The value on top of the JVM's stack: put there as a constant, or changed to another kind. */
final class StackValues {
    private static final ClassDesc FLOAT = ClassDesc.of("java.lang.Float");
    private static final ClassDesc DOUBLE = ClassDesc.of("java.lang.Double");

    private final CodeBuilder code;

    StackValues(CodeBuilder code) {
        this.code = code;
    }

    static TypeKind typeKind(Kind kind) {
        return switch (kind) {
            case INT -> TypeKind.INT;
            case LONG -> TypeKind.LONG;
            case FLOAT -> TypeKind.FLOAT;
            case DOUBLE -> TypeKind.DOUBLE;
        };
    }

    /** A float or double that is wanted as another kind becomes its bits; says what it is then. */
    Kind bitsUnless(Kind want, Kind have) {
        if (have == want) {
            return have;
        }
        return switch (have) {
            case FLOAT -> {
                bitsOfFloat();
                yield Kind.INT;
            }
            case DOUBLE -> {
                bitsOfDouble();
                yield Kind.LONG;
            }
            case INT, LONG -> have;
        };
    }

    /** From the bits, the lower ones of a long. */
    void toFloat(Kind have) {
        if (have == Kind.LONG) {
            code.l2i();
        }
        if (have != Kind.FLOAT) {
            floatOfBits();
        }
    }

    void bitsOfFloat() {
        code.invokestatic(FLOAT, "floatToRawIntBits", MethodTypeDesc.of(CD_int, CD_float));
    }

    void floatOfBits() {
        code.invokestatic(FLOAT, "intBitsToFloat", MethodTypeDesc.of(CD_float, CD_int));
    }

    void bitsOfDouble() {
        code.invokestatic(DOUBLE, "doubleToRawLongBits", MethodTypeDesc.of(CD_long, CD_double));
    }

    void doubleOfBits() {
        code.invokestatic(DOUBLE, "longBitsToDouble", MethodTypeDesc.of(CD_double, CD_long));
    }

    /** Cuts the int on the stack to the type's width and extends it as the type says. */
    void narrow(Type type) {
        switch (type.bits()) {
            case 16 -> {
                if (type.isSigned()) {
                    code.i2s();
                } else {
                    code.i2c();
                }
            }
            case 8 -> {
                if (type.isSigned()) {
                    code.i2b();
                } else {
                    code.loadConstant(0xff).iand();
                }
            }
            default -> {}
        }
    }

    void widen(boolean signed) {
        code.i2l();
        if (!signed) {
            code.loadConstant(0xffff_ffffL).land();
        }
    }

    // ---- constants

    void pushZero(Kind kind) {
        switch (kind) {
            case INT -> code.iconst_0();
            case LONG -> code.lconst_0();
            case FLOAT -> code.fconst_0();
            case DOUBLE -> code.dconst_0();
        }
    }

    void pushImmediate(long value, Type type) {
        switch (Kind.of(type)) {
            case INT ->
                    code.loadConstant(
                            switch (type.bits()) {
                                case 1 -> value != 0 ? 1 : 0;
                                case 8 -> type.isSigned() ? (byte) value : (int) value & 0xff;
                                case 16 -> type.isSigned() ? (short) value : (int) value & 0xffff;
                                default -> (int) value;
                            });
            case LONG -> code.loadConstant(value);
            case FLOAT -> code.loadConstant((float) value);
            case DOUBLE -> code.loadConstant((double) value);
        }
    }

    void pushFloat(Operand.FloatImmediate immediate, Type type) {
        boolean single = immediate.type() == Type.F32;
        float asFloat =
                single
                        ? Float.intBitsToFloat((int) immediate.bits())
                        : (float) Double.longBitsToDouble(immediate.bits());
        double asDouble = single ? asFloat : Double.longBitsToDouble(immediate.bits());
        int bits = single ? (int) immediate.bits() : Float.floatToRawIntBits(asFloat);
        switch (Kind.of(type)) {
            case INT -> code.loadConstant(bits);
            case FLOAT -> {
                if (Float.isNaN(asFloat)) { // a constant pool keeps only one NaN
                    code.loadConstant(bits);
                    floatOfBits();
                } else {
                    code.loadConstant(asFloat);
                }
            }
            case LONG -> code.loadConstant(Double.doubleToRawLongBits(asDouble));
            case DOUBLE -> {
                if (Double.isNaN(asDouble)) {
                    code.loadConstant(
                            single ? Double.doubleToRawLongBits(asDouble) : immediate.bits());
                    doubleOfBits();
                } else {
                    code.loadConstant(asDouble);
                }
            }
        }
    }
}
