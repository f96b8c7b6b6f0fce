package facet.testkit.filetest;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;

/** What a buffer holds: how an element is written in a file, and its bits in memory. */
enum ElementType {
    U8(8, Kind.UNSIGNED),
    U16(16, Kind.UNSIGNED),
    U32(32, Kind.UNSIGNED),
    U64(64, Kind.UNSIGNED),
    S8(8, Kind.SIGNED),
    S16(16, Kind.SIGNED),
    S32(32, Kind.SIGNED),
    S64(64, Kind.SIGNED),
    B8(8, Kind.BITS),
    B16(16, Kind.BITS),
    B32(32, Kind.BITS),
    B64(64, Kind.BITS),
    F16(16, Kind.FLOAT),
    BF16(16, Kind.FLOAT),
    F32(32, Kind.FLOAT),
    F64(64, Kind.FLOAT);

    private enum Kind {
        UNSIGNED,
        SIGNED,
        BITS,
        FLOAT
    }

    private static final String NAN = "nan";

    private final int bits;
    private final Kind kind;

    ElementType(int bits, Kind kind) {
        this.bits = bits;
        this.kind = kind;
    }

    static ElementType of(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    int bytes() {
        return bits / 8;
    }

    boolean isFloat() {
        return kind == Kind.FLOAT;
    }

    long mask() {
        return -1L >>> (64 - bits);
    }

    /** The bits of a literal; any NaN without a payload is the one with all bits set. */
    long parse(String literal) {
        return isFloat() ? parseFloat(literal) : parseInteger(literal);
    }

    private long parseInteger(String literal) {
        boolean negative = literal.startsWith("-");
        String digits = negative ? literal.substring(1) : literal;
        BigInteger value =
                digits.startsWith("0x")
                        ? new BigInteger(digits.substring(2), 16)
                        : new BigInteger(digits);
        BigInteger signed = negative ? value.negate() : value;
        if (signed.bitLength() > bits || negative && signed.bitLength() >= bits) {
            throw new NumberFormatException(literal + " does not fit " + name());
        }
        return signed.longValue() & mask();
    }

    private long parseFloat(String literal) {
        if (literal.startsWith("-")) {
            return parseFloat(literal.substring(1)) | 1L << (bits - 1);
        }
        if (literal.startsWith(NAN + ":0x")) {
            long payload = Long.parseUnsignedLong(literal.substring(NAN.length() + 3), 16);
            if (!isNan(payload) || (payload & ~mask()) != 0) {
                throw new NumberFormatException(literal + " is no NaN of " + name());
            }
            return payload;
        }
        return switch (literal) {
            case NAN -> mask() >>> 1;
            case "inf" -> infinity();
            default -> round(exact(literal));
        };
    }

    private static BigDecimal exact(String literal) {
        // A double holds every hexadecimal literal that fits one of the types exactly.
        return literal.startsWith("0x")
                ? new BigDecimal(Double.parseDouble(literal))
                : new BigDecimal(literal);
    }

    private long round(BigDecimal value) {
        return switch (this) {
            case F64 -> Double.doubleToRawLongBits(value.doubleValue());
            case F32 -> Float.floatToRawIntBits(value.floatValue()) & mask();
            case F16 -> Float.floatToFloat16(value.floatValue()) & mask();
            default -> {
                // bf16: the high half of the f32, to the nearest
                int whole = Float.floatToRawIntBits(value.floatValue());
                yield (whole + 0x7fff + (whole >>> 16 & 1)) >>> 16 & mask();
            }
        };
    }

    private long infinity() {
        return switch (this) {
            case F64 -> 0x7ff0_0000_0000_0000L;
            case F32 -> 0x7f80_0000L;
            case F16 -> 0x7c00L;
            default -> 0x7f80L;
        };
    }

    boolean isNan(long value) {
        return (value & mask() >>> 1) > infinity();
    }

    boolean isInfinite(long value) {
        return (value & mask() >>> 1) == infinity();
    }

    /** The value of finite bits; every type's values are doubles. */
    double toDouble(long value) {
        return switch (this) {
            case F64 -> Double.longBitsToDouble(value);
            case F32 -> Float.intBitsToFloat((int) value);
            case F16 -> Float.float16ToFloat((short) value);
            case BF16 -> Float.intBitsToFloat((int) value << 16);
            default -> throw new IllegalStateException(name() + " is no floating-point type");
        };
    }

    /** A literal that {@link #parse} turns into the same bits. */
    String format(long value) {
        return switch (kind) {
            case UNSIGNED -> Long.toUnsignedString(value);
            case SIGNED -> Long.toString(value << (64 - bits) >> (64 - bits));
            case BITS -> String.format("0x%0" + bits / 4 + "x", value);
            case FLOAT -> formatFloat(value);
        };
    }

    private String formatFloat(long value) {
        if (isNan(value)) {
            return NAN + ":0x" + Long.toHexString(value);
        }
        if (isInfinite(value)) {
            return value >>> (bits - 1) == 0 ? "inf" : "-inf";
        }
        double number = toDouble(value);
        String decimal = this == F64 ? Double.toString(number) : Float.toString((float) number);
        if (!decimal.contains("E") && decimal.length() <= 14) {
            return decimal;
        }
        return hexadecimal(number);
    }

    /** With one digit before the point, for subnormals too. */
    private static String hexadecimal(double number) {
        boolean tiny = Math.abs(number) < Double.MIN_NORMAL;
        String text = Double.toHexString(tiny ? number * 0x1p200 : number).replace(".0p", "p");
        int mark = text.indexOf('p') + 1;
        int exponent = Integer.parseInt(text.substring(mark)) - (tiny ? 200 : 0);
        return text.substring(0, mark) + exponent;
    }
}
