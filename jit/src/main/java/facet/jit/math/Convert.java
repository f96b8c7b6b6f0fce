package facet.jit.math;

/**
 * The building blocks of cvt (PTX ISA 9.0, 9.7.9.21). This class holds float to float, rounding to
 * an integral value, packing and integer saturation, and inherits integer to float from {@link
 * ConvertToFloat} and float to integer from {@link ConvertToInteger}, so that generated code finds
 * every conversion here.
 *
 * <p>Names: source type, To, destination type, rounding. What is left to the caller:
 *
 * <ul>
 *   <li>integers of 8 and 16 bits are extended to 32 bits before a conversion to float;
 *   <li>f16 and bf16 become f32 before a conversion to integer;
 *   <li>.ftz and .sat are {@code F32.ftz}, {@code F32.sat} and so on around the conversion;
 *   <li>.relu and .satfinite of f16, bf16 and their pairs are {@code F16.relu}, {@code
 *       BF16x2.satfinite} and so on after it; of tf32 {@link #tf32Relu} and {@link #tf32Satfinite};
 *   <li>integer to integer without .sat is an extension or a truncation.
 * </ul>
 *
 * <p>A NaN becomes the canonical NaN of f16, bf16 (0x7fff) and tf32 (0x7fffffff).
 */
public final class Convert extends ConvertToInteger {
    private static final double EXACT = 0;
    private static final int TF32_DROPPED = 0x1fff;
    private static final int TF32_INFINITY = 0x7f80_0000;
    private static final int TF32_MAX = 0x7f7f_e000;
    private static final int TF32_NAN = 0x7fff_ffff;
    private static final int MAGNITUDE = 0x7fff_ffff;

    private Convert() {}

    public static float f64ToF32Rn(double a) {
        return (float) a;
    }

    public static float f64ToF32Rz(double a) {
        return Directed.f32Z(a, EXACT);
    }

    public static float f64ToF32Rm(double a) {
        return Directed.f32M(a, EXACT);
    }

    public static float f64ToF32Rp(double a) {
        return Directed.f32P(a, EXACT);
    }

    public static float f16ToF32(int a) {
        return F16.toFloat(a);
    }

    public static double f16ToF64(int a) {
        return F16.toFloat(a);
    }

    public static int f32ToF16Rn(float a) {
        return F16.fromFloatRn(a);
    }

    public static int f32ToF16Rz(float a) {
        return F16.fromFloatRz(a);
    }

    public static int f32ToF16Rm(float a) {
        return F16.fromFloatRm(a);
    }

    public static int f32ToF16Rp(float a) {
        return F16.fromFloatRp(a);
    }

    public static int f64ToF16Rn(double a) {
        return F16.fromDoubleRn(a);
    }

    public static int f64ToF16Rz(double a) {
        return F16.fromDoubleRz(a);
    }

    public static int f64ToF16Rm(double a) {
        return F16.fromDoubleRm(a);
    }

    public static int f64ToF16Rp(double a) {
        return F16.fromDoubleRp(a);
    }

    public static float bf16ToF32(int a) {
        return BF16.toFloat(a);
    }

    public static double bf16ToF64(int a) {
        return BF16.toFloat(a);
    }

    public static int f32ToBf16Rn(float a) {
        return BF16.fromFloatRn(a);
    }

    public static int f32ToBf16Rz(float a) {
        return BF16.fromFloatRz(a);
    }

    public static int f32ToBf16Rm(float a) {
        return BF16.fromFloatRm(a);
    }

    public static int f32ToBf16Rp(float a) {
        return BF16.fromFloatRp(a);
    }

    public static int f64ToBf16Rn(double a) {
        return BF16.fromDoubleRn(a);
    }

    public static int f64ToBf16Rz(double a) {
        return BF16.fromDoubleRz(a);
    }

    public static int f64ToBf16Rm(double a) {
        return BF16.fromDoubleRm(a);
    }

    public static int f64ToBf16Rp(double a) {
        return BF16.fromDoubleRp(a);
    }

    public static int f16ToBf16Rn(int a) {
        return BF16.fromFloatRn(F16.toFloat(a));
    }

    public static int f16ToBf16Rz(int a) {
        return BF16.fromFloatRz(F16.toFloat(a));
    }

    public static int f16ToBf16Rm(int a) {
        return BF16.fromFloatRm(F16.toFloat(a));
    }

    public static int f16ToBf16Rp(int a) {
        return BF16.fromFloatRp(F16.toFloat(a));
    }

    public static int bf16ToF16Rn(int a) {
        return F16.fromFloatRn(BF16.toFloat(a));
    }

    public static int bf16ToF16Rz(int a) {
        return F16.fromFloatRz(BF16.toFloat(a));
    }

    public static int bf16ToF16Rm(int a) {
        return F16.fromFloatRm(BF16.toFloat(a));
    }

    public static int bf16ToF16Rp(int a) {
        return F16.fromFloatRp(BF16.toFloat(a));
    }

    /** The first operand goes to the upper half. */
    public static int f32ToF16x2Rn(float a, float b) {
        return Packed.pack(F16.fromFloatRn(b), F16.fromFloatRn(a));
    }

    public static int f32ToF16x2Rz(float a, float b) {
        return Packed.pack(F16.fromFloatRz(b), F16.fromFloatRz(a));
    }

    public static int f32ToBf16x2Rn(float a, float b) {
        return Packed.pack(BF16.fromFloatRn(b), BF16.fromFloatRn(a));
    }

    public static int f32ToBf16x2Rz(float a, float b) {
        return Packed.pack(BF16.fromFloatRz(b), BF16.fromFloatRz(a));
    }

    /** Ties away from zero, which in sign and magnitude is adding half and truncating. */
    public static int f32ToTf32Rna(float a) {
        int bits = Float.floatToRawIntBits(a);
        return Float.isNaN(a) ? TF32_NAN : (bits + 0x1000) & ~TF32_DROPPED;
    }

    public static int f32ToTf32Rn(float a) {
        int bits = Float.floatToRawIntBits(a);
        return Float.isNaN(a) ? TF32_NAN : (bits + 0xfff + (bits >>> 13 & 1)) & ~TF32_DROPPED;
    }

    public static int f32ToTf32Rz(float a) {
        return Float.isNaN(a) ? TF32_NAN : Float.floatToRawIntBits(a) & ~TF32_DROPPED;
    }

    public static int tf32Relu(int a) {
        return (a & MAGNITUDE) > TF32_INFINITY ? TF32_NAN : Math.max(a, 0);
    }

    public static int tf32Satfinite(int a) {
        return (a & MAGNITUDE) == TF32_INFINITY ? a & ~MAGNITUDE | TF32_MAX : a;
    }

    public static float f32Rni(float a) {
        return (float) Math.rint(a);
    }

    public static float f32Rzi(float a) {
        return (float) (a < 0 ? Math.ceil(a) : Math.floor(a));
    }

    public static float f32Rmi(float a) {
        return (float) Math.floor(a);
    }

    public static float f32Rpi(float a) {
        return (float) Math.ceil(a);
    }

    public static double f64Rni(double a) {
        return Math.rint(a);
    }

    public static double f64Rzi(double a) {
        return a < 0 ? Math.ceil(a) : Math.floor(a);
    }

    public static double f64Rmi(double a) {
        return Math.floor(a);
    }

    public static double f64Rpi(double a) {
        return Math.ceil(a);
    }

    public static int f16Rni(int a) {
        return F16.fromFloatRn(f32Rni(F16.toFloat(a)));
    }

    public static int f16Rzi(int a) {
        return F16.fromFloatRn(f32Rzi(F16.toFloat(a)));
    }

    public static int f16Rmi(int a) {
        return F16.fromFloatRn(f32Rmi(F16.toFloat(a)));
    }

    public static int f16Rpi(int a) {
        return F16.fromFloatRn(f32Rpi(F16.toFloat(a)));
    }

    public static int bf16Rni(int a) {
        return BF16.fromFloatRn(f32Rni(BF16.toFloat(a)));
    }

    public static int bf16Rzi(int a) {
        return BF16.fromFloatRn(f32Rzi(BF16.toFloat(a)));
    }

    public static int bf16Rmi(int a) {
        return BF16.fromFloatRn(f32Rmi(BF16.toFloat(a)));
    }

    public static int bf16Rpi(int a) {
        return BF16.fromFloatRn(f32Rpi(BF16.toFloat(a)));
    }

    public static int satS8FromS64(long a) {
        return (int) Math.max(-0x80, Math.min(0x7f, a)) & 0xff;
    }

    public static int satU8FromS64(long a) {
        return (int) Math.max(0, Math.min(0xff, a));
    }

    public static int satS16FromS64(long a) {
        return (int) Math.max(-0x8000, Math.min(0x7fff, a)) & 0xffff;
    }

    public static int satU16FromS64(long a) {
        return (int) Math.max(0, Math.min(0xffff, a));
    }

    public static int satS32FromS64(long a) {
        return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, a));
    }

    public static int satU32FromS64(long a) {
        return (int) Math.max(0, Math.min(0xffff_ffffL, a));
    }

    public static long satU64FromS64(long a) {
        return Math.max(0, a);
    }

    public static int satS8FromU64(long a) {
        return (int) Int64.minU64(0x7f, a);
    }

    public static int satU8FromU64(long a) {
        return (int) Int64.minU64(0xff, a);
    }

    public static int satS16FromU64(long a) {
        return (int) Int64.minU64(0x7fff, a);
    }

    public static int satU16FromU64(long a) {
        return (int) Int64.minU64(0xffff, a);
    }

    public static int satS32FromU64(long a) {
        return (int) Int64.minU64(Integer.MAX_VALUE, a);
    }

    public static int satU32FromU64(long a) {
        return (int) Int64.minU64(0xffff_ffffL, a);
    }

    public static long satS64FromU64(long a) {
        return a < 0 ? Long.MAX_VALUE : a;
    }
}
