package facet.jit.math;

/**
 * Integer to floating point: one method for each source s32 u32 s64 u64, destination and rounding.
 * Narrower sources are extended to 32 bits by the caller. Each result is rounded once: 32-bit
 * integers are exact in double; 64-bit integers are split into two exact doubles, whose sum is
 * rounded in the wanted direction (f64), or to odd before the narrower format.
 */
public abstract sealed class ConvertToFloat permits ConvertToInteger {
    private static final double EXACT = 0;

    ConvertToFloat() {}

    public static float s32ToF32Rn(int a) {
        return a;
    }

    public static float s32ToF32Rz(int a) {
        return Directed.f32Z(a, EXACT);
    }

    public static float s32ToF32Rm(int a) {
        return Directed.f32M(a, EXACT);
    }

    public static float s32ToF32Rp(int a) {
        return Directed.f32P(a, EXACT);
    }

    public static double s32ToF64Rn(int a) {
        return a;
    }

    public static double s32ToF64Rz(int a) {
        return a;
    }

    public static double s32ToF64Rm(int a) {
        return a;
    }

    public static double s32ToF64Rp(int a) {
        return a;
    }

    public static int s32ToF16Rn(int a) {
        return F16.fromDoubleRn(a);
    }

    public static int s32ToF16Rz(int a) {
        return F16.fromDoubleRz(a);
    }

    public static int s32ToF16Rm(int a) {
        return F16.fromDoubleRm(a);
    }

    public static int s32ToF16Rp(int a) {
        return F16.fromDoubleRp(a);
    }

    public static int s32ToBf16Rn(int a) {
        return BF16.fromDoubleRn(a);
    }

    public static int s32ToBf16Rz(int a) {
        return BF16.fromDoubleRz(a);
    }

    public static int s32ToBf16Rm(int a) {
        return BF16.fromDoubleRm(a);
    }

    public static int s32ToBf16Rp(int a) {
        return BF16.fromDoubleRp(a);
    }

    public static float u32ToF32Rn(int a) {
        return unsigned(a);
    }

    public static float u32ToF32Rz(int a) {
        return Directed.f32Z((double) unsigned(a), EXACT);
    }

    public static float u32ToF32Rm(int a) {
        return Directed.f32M((double) unsigned(a), EXACT);
    }

    public static float u32ToF32Rp(int a) {
        return Directed.f32P((double) unsigned(a), EXACT);
    }

    public static double u32ToF64Rn(int a) {
        return unsigned(a);
    }

    public static double u32ToF64Rz(int a) {
        return unsigned(a);
    }

    public static double u32ToF64Rm(int a) {
        return unsigned(a);
    }

    public static double u32ToF64Rp(int a) {
        return unsigned(a);
    }

    public static int u32ToF16Rn(int a) {
        return F16.fromDoubleRn((double) unsigned(a));
    }

    public static int u32ToF16Rz(int a) {
        return F16.fromDoubleRz((double) unsigned(a));
    }

    public static int u32ToF16Rm(int a) {
        return F16.fromDoubleRm((double) unsigned(a));
    }

    public static int u32ToF16Rp(int a) {
        return F16.fromDoubleRp((double) unsigned(a));
    }

    public static int u32ToBf16Rn(int a) {
        return BF16.fromDoubleRn((double) unsigned(a));
    }

    public static int u32ToBf16Rz(int a) {
        return BF16.fromDoubleRz((double) unsigned(a));
    }

    public static int u32ToBf16Rm(int a) {
        return BF16.fromDoubleRm((double) unsigned(a));
    }

    public static int u32ToBf16Rp(int a) {
        return BF16.fromDoubleRp((double) unsigned(a));
    }

    public static float s64ToF32Rn(long a) {
        return a;
    }

    public static float s64ToF32Rz(long a) {
        return Directed.f32Z(oddS64(a), EXACT);
    }

    public static float s64ToF32Rm(long a) {
        return Directed.f32M(oddS64(a), EXACT);
    }

    public static float s64ToF32Rp(long a) {
        return Directed.f32P(oddS64(a), EXACT);
    }

    public static double s64ToF64Rn(long a) {
        return a;
    }

    public static double s64ToF64Rz(long a) {
        return F64.addRz(Directed.highS64(a), Directed.low(a));
    }

    public static double s64ToF64Rm(long a) {
        return F64.addRm(Directed.highS64(a), Directed.low(a));
    }

    public static double s64ToF64Rp(long a) {
        return F64.addRp(Directed.highS64(a), Directed.low(a));
    }

    public static int s64ToF16Rn(long a) {
        return F16.fromDoubleRn(oddS64(a));
    }

    public static int s64ToF16Rz(long a) {
        return F16.fromDoubleRz(oddS64(a));
    }

    public static int s64ToF16Rm(long a) {
        return F16.fromDoubleRm(oddS64(a));
    }

    public static int s64ToF16Rp(long a) {
        return F16.fromDoubleRp(oddS64(a));
    }

    public static int s64ToBf16Rn(long a) {
        return BF16.fromDoubleRn(oddS64(a));
    }

    public static int s64ToBf16Rz(long a) {
        return BF16.fromDoubleRz(oddS64(a));
    }

    public static int s64ToBf16Rm(long a) {
        return BF16.fromDoubleRm(oddS64(a));
    }

    public static int s64ToBf16Rp(long a) {
        return BF16.fromDoubleRp(oddS64(a));
    }

    public static float u64ToF32Rn(long a) {
        return (float) oddU64(a);
    }

    public static float u64ToF32Rz(long a) {
        return Directed.f32Z(oddU64(a), EXACT);
    }

    public static float u64ToF32Rm(long a) {
        return Directed.f32M(oddU64(a), EXACT);
    }

    public static float u64ToF32Rp(long a) {
        return Directed.f32P(oddU64(a), EXACT);
    }

    public static double u64ToF64Rn(long a) {
        return Directed.highU64(a) + Directed.low(a);
    }

    public static double u64ToF64Rz(long a) {
        return F64.addRz(Directed.highU64(a), Directed.low(a));
    }

    public static double u64ToF64Rm(long a) {
        return F64.addRm(Directed.highU64(a), Directed.low(a));
    }

    public static double u64ToF64Rp(long a) {
        return F64.addRp(Directed.highU64(a), Directed.low(a));
    }

    public static int u64ToF16Rn(long a) {
        return F16.fromDoubleRn(oddU64(a));
    }

    public static int u64ToF16Rz(long a) {
        return F16.fromDoubleRz(oddU64(a));
    }

    public static int u64ToF16Rm(long a) {
        return F16.fromDoubleRm(oddU64(a));
    }

    public static int u64ToF16Rp(long a) {
        return F16.fromDoubleRp(oddU64(a));
    }

    public static int u64ToBf16Rn(long a) {
        return BF16.fromDoubleRn(oddU64(a));
    }

    public static int u64ToBf16Rz(long a) {
        return BF16.fromDoubleRz(oddU64(a));
    }

    public static int u64ToBf16Rm(long a) {
        return BF16.fromDoubleRm(oddU64(a));
    }

    public static int u64ToBf16Rp(long a) {
        return BF16.fromDoubleRp(oddU64(a));
    }

    private static long unsigned(int a) {
        return a & 0xffff_ffffL;
    }

    private static double oddS64(long a) {
        return Directed.oddSum(Directed.highS64(a), Directed.low(a));
    }

    private static double oddU64(long a) {
        return Directed.oddSum(Directed.highU64(a), Directed.low(a));
    }
}
