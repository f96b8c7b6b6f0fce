package facet.jit.math;

/**
 * Floating point to integer: one method for each source f32 f64, destination and rounding (rni to
 * nearest even, rzi to zero, rmi down, rpi up). f16 and bf16 are converted to f32 first, which is
 * exact. The rounded value is clamped to the range of the destination, whether or not .sat is
 * given.
 *
 * <p>NaN becomes 0 if the source is not f64 and the destination has at most 32 bits, otherwise only
 * the top bit of the destination is set (PTX ISA 9.0, 9.7.9.21, Integer Notes).
 *
 * <p>Results of 8 and 16 bits are zero-extended, also those of s8 and s16: a destination register
 * wider than the type still needs the sign extension of the caller.
 */
public abstract sealed class ConvertToInteger extends ConvertToFloat permits Convert {
    private static final double TWO_63 = 0x1p63;

    ConvertToInteger() {}

    public static int f32ToS8Rni(float a) {
        return toS8(Math.rint(a));
    }

    public static int f32ToS8Rzi(float a) {
        return toS8(a);
    }

    public static int f32ToS8Rmi(float a) {
        return toS8(Math.floor(a));
    }

    public static int f32ToS8Rpi(float a) {
        return toS8(Math.ceil(a));
    }

    public static int f32ToU8Rni(float a) {
        return toU8(Math.rint(a));
    }

    public static int f32ToU8Rzi(float a) {
        return toU8(a);
    }

    public static int f32ToU8Rmi(float a) {
        return toU8(Math.floor(a));
    }

    public static int f32ToU8Rpi(float a) {
        return toU8(Math.ceil(a));
    }

    public static int f32ToS16Rni(float a) {
        return toS16(Math.rint(a));
    }

    public static int f32ToS16Rzi(float a) {
        return toS16(a);
    }

    public static int f32ToS16Rmi(float a) {
        return toS16(Math.floor(a));
    }

    public static int f32ToS16Rpi(float a) {
        return toS16(Math.ceil(a));
    }

    public static int f32ToU16Rni(float a) {
        return toU16(Math.rint(a));
    }

    public static int f32ToU16Rzi(float a) {
        return toU16(a);
    }

    public static int f32ToU16Rmi(float a) {
        return toU16(Math.floor(a));
    }

    public static int f32ToU16Rpi(float a) {
        return toU16(Math.ceil(a));
    }

    public static int f32ToS32Rni(float a) {
        return (int) Math.rint(a);
    }

    public static int f32ToS32Rzi(float a) {
        return (int) a;
    }

    public static int f32ToS32Rmi(float a) {
        return (int) Math.floor(a);
    }

    public static int f32ToS32Rpi(float a) {
        return (int) Math.ceil(a);
    }

    public static int f32ToU32Rni(float a) {
        return toU32(Math.rint(a));
    }

    public static int f32ToU32Rzi(float a) {
        return toU32(a);
    }

    public static int f32ToU32Rmi(float a) {
        return toU32(Math.floor(a));
    }

    public static int f32ToU32Rpi(float a) {
        return toU32(Math.ceil(a));
    }

    public static long f32ToS64Rni(float a) {
        return Float.isNaN(a) ? Long.MIN_VALUE : (long) Math.rint(a);
    }

    public static long f32ToS64Rzi(float a) {
        return Float.isNaN(a) ? Long.MIN_VALUE : (long) a;
    }

    public static long f32ToS64Rmi(float a) {
        return Float.isNaN(a) ? Long.MIN_VALUE : (long) Math.floor(a);
    }

    public static long f32ToS64Rpi(float a) {
        return Float.isNaN(a) ? Long.MIN_VALUE : (long) Math.ceil(a);
    }

    public static long f32ToU64Rni(float a) {
        return Float.isNaN(a) ? Long.MIN_VALUE : toU64(Math.rint(a));
    }

    public static long f32ToU64Rzi(float a) {
        return Float.isNaN(a) ? Long.MIN_VALUE : toU64(a);
    }

    public static long f32ToU64Rmi(float a) {
        return Float.isNaN(a) ? Long.MIN_VALUE : toU64(Math.floor(a));
    }

    public static long f32ToU64Rpi(float a) {
        return Float.isNaN(a) ? Long.MIN_VALUE : toU64(Math.ceil(a));
    }

    public static int f64ToS8Rni(double a) {
        return Double.isNaN(a) ? 0x80 : toS8(Math.rint(a));
    }

    public static int f64ToS8Rzi(double a) {
        return Double.isNaN(a) ? 0x80 : toS8(a);
    }

    public static int f64ToS8Rmi(double a) {
        return Double.isNaN(a) ? 0x80 : toS8(Math.floor(a));
    }

    public static int f64ToS8Rpi(double a) {
        return Double.isNaN(a) ? 0x80 : toS8(Math.ceil(a));
    }

    public static int f64ToU8Rni(double a) {
        return Double.isNaN(a) ? 0x80 : toU8(Math.rint(a));
    }

    public static int f64ToU8Rzi(double a) {
        return Double.isNaN(a) ? 0x80 : toU8(a);
    }

    public static int f64ToU8Rmi(double a) {
        return Double.isNaN(a) ? 0x80 : toU8(Math.floor(a));
    }

    public static int f64ToU8Rpi(double a) {
        return Double.isNaN(a) ? 0x80 : toU8(Math.ceil(a));
    }

    public static int f64ToS16Rni(double a) {
        return Double.isNaN(a) ? 0x8000 : toS16(Math.rint(a));
    }

    public static int f64ToS16Rzi(double a) {
        return Double.isNaN(a) ? 0x8000 : toS16(a);
    }

    public static int f64ToS16Rmi(double a) {
        return Double.isNaN(a) ? 0x8000 : toS16(Math.floor(a));
    }

    public static int f64ToS16Rpi(double a) {
        return Double.isNaN(a) ? 0x8000 : toS16(Math.ceil(a));
    }

    public static int f64ToU16Rni(double a) {
        return Double.isNaN(a) ? 0x8000 : toU16(Math.rint(a));
    }

    public static int f64ToU16Rzi(double a) {
        return Double.isNaN(a) ? 0x8000 : toU16(a);
    }

    public static int f64ToU16Rmi(double a) {
        return Double.isNaN(a) ? 0x8000 : toU16(Math.floor(a));
    }

    public static int f64ToU16Rpi(double a) {
        return Double.isNaN(a) ? 0x8000 : toU16(Math.ceil(a));
    }

    public static int f64ToS32Rni(double a) {
        return Double.isNaN(a) ? Integer.MIN_VALUE : (int) Math.rint(a);
    }

    public static int f64ToS32Rzi(double a) {
        return Double.isNaN(a) ? Integer.MIN_VALUE : (int) a;
    }

    public static int f64ToS32Rmi(double a) {
        return Double.isNaN(a) ? Integer.MIN_VALUE : (int) Math.floor(a);
    }

    public static int f64ToS32Rpi(double a) {
        return Double.isNaN(a) ? Integer.MIN_VALUE : (int) Math.ceil(a);
    }

    public static int f64ToU32Rni(double a) {
        return Double.isNaN(a) ? Integer.MIN_VALUE : toU32(Math.rint(a));
    }

    public static int f64ToU32Rzi(double a) {
        return Double.isNaN(a) ? Integer.MIN_VALUE : toU32(a);
    }

    public static int f64ToU32Rmi(double a) {
        return Double.isNaN(a) ? Integer.MIN_VALUE : toU32(Math.floor(a));
    }

    public static int f64ToU32Rpi(double a) {
        return Double.isNaN(a) ? Integer.MIN_VALUE : toU32(Math.ceil(a));
    }

    public static long f64ToS64Rni(double a) {
        return Double.isNaN(a) ? Long.MIN_VALUE : (long) Math.rint(a);
    }

    public static long f64ToS64Rzi(double a) {
        return Double.isNaN(a) ? Long.MIN_VALUE : (long) a;
    }

    public static long f64ToS64Rmi(double a) {
        return Double.isNaN(a) ? Long.MIN_VALUE : (long) Math.floor(a);
    }

    public static long f64ToS64Rpi(double a) {
        return Double.isNaN(a) ? Long.MIN_VALUE : (long) Math.ceil(a);
    }

    public static long f64ToU64Rni(double a) {
        return Double.isNaN(a) ? Long.MIN_VALUE : toU64(Math.rint(a));
    }

    public static long f64ToU64Rzi(double a) {
        return Double.isNaN(a) ? Long.MIN_VALUE : toU64(a);
    }

    public static long f64ToU64Rmi(double a) {
        return Double.isNaN(a) ? Long.MIN_VALUE : toU64(Math.floor(a));
    }

    public static long f64ToU64Rpi(double a) {
        return Double.isNaN(a) ? Long.MIN_VALUE : toU64(Math.ceil(a));
    }

    private static int toS8(double integral) {
        return Math.max(-0x80, Math.min(0x7f, (int) integral)) & 0xff;
    }

    private static int toU8(double integral) {
        return Math.max(0, Math.min(0xff, (int) integral));
    }

    private static int toS16(double integral) {
        return Math.max(-0x8000, Math.min(0x7fff, (int) integral)) & 0xffff;
    }

    private static int toU16(double integral) {
        return Math.max(0, Math.min(0xffff, (int) integral));
    }

    private static int toU32(double integral) {
        return (int) Math.max(0, Math.min(0xffff_ffffL, (long) integral));
    }

    private static long toU64(double integral) {
        // The cast saturates at 2^63 - 1, which turns everything from 2^64 on into all ones.
        return integral < TWO_63
                ? Math.max(0, (long) integral)
                : (long) (integral - TWO_63) ^ Long.MIN_VALUE;
    }
}
