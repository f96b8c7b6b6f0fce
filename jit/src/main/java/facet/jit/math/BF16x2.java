package facet.jit.math;

/**
 * The operations of {@link BF16} on the two halves of a 32-bit value, element 0 in the low half.
 */
public final class BF16x2 {
    private BF16x2() {}

    public static int add(int a, int b) {
        return Packed.pack(
                BF16.add(Packed.lo(a), Packed.lo(b)), BF16.add(Packed.hi(a), Packed.hi(b)));
    }

    public static int sub(int a, int b) {
        return Packed.pack(
                BF16.sub(Packed.lo(a), Packed.lo(b)), BF16.sub(Packed.hi(a), Packed.hi(b)));
    }

    public static int mul(int a, int b) {
        return Packed.pack(
                BF16.mul(Packed.lo(a), Packed.lo(b)), BF16.mul(Packed.hi(a), Packed.hi(b)));
    }

    public static int fma(int a, int b, int c) {
        return Packed.pack(
                BF16.fma(Packed.lo(a), Packed.lo(b), Packed.lo(c)),
                BF16.fma(Packed.hi(a), Packed.hi(b), Packed.hi(c)));
    }

    public static int fmaRelu(int a, int b, int c) {
        return Packed.pack(
                BF16.fmaRelu(Packed.lo(a), Packed.lo(b), Packed.lo(c)),
                BF16.fmaRelu(Packed.hi(a), Packed.hi(b), Packed.hi(c)));
    }

    public static int min(int a, int b) {
        return Packed.pack(
                BF16.min(Packed.lo(a), Packed.lo(b)), BF16.min(Packed.hi(a), Packed.hi(b)));
    }

    public static int max(int a, int b) {
        return Packed.pack(
                BF16.max(Packed.lo(a), Packed.lo(b)), BF16.max(Packed.hi(a), Packed.hi(b)));
    }

    public static int minNan(int a, int b) {
        return Packed.pack(
                BF16.minNan(Packed.lo(a), Packed.lo(b)), BF16.minNan(Packed.hi(a), Packed.hi(b)));
    }

    public static int maxNan(int a, int b) {
        return Packed.pack(
                BF16.maxNan(Packed.lo(a), Packed.lo(b)), BF16.maxNan(Packed.hi(a), Packed.hi(b)));
    }

    public static int minXorsignAbs(int a, int b) {
        return Packed.pack(
                BF16.minXorsignAbs(Packed.lo(a), Packed.lo(b)),
                BF16.minXorsignAbs(Packed.hi(a), Packed.hi(b)));
    }

    public static int maxXorsignAbs(int a, int b) {
        return Packed.pack(
                BF16.maxXorsignAbs(Packed.lo(a), Packed.lo(b)),
                BF16.maxXorsignAbs(Packed.hi(a), Packed.hi(b)));
    }

    public static int minNanXorsignAbs(int a, int b) {
        return Packed.pack(
                BF16.minNanXorsignAbs(Packed.lo(a), Packed.lo(b)),
                BF16.minNanXorsignAbs(Packed.hi(a), Packed.hi(b)));
    }

    public static int maxNanXorsignAbs(int a, int b) {
        return Packed.pack(
                BF16.maxNanXorsignAbs(Packed.lo(a), Packed.lo(b)),
                BF16.maxNanXorsignAbs(Packed.hi(a), Packed.hi(b)));
    }

    public static int abs(int a) {
        return a & 0x7fff_7fff;
    }

    public static int neg(int a) {
        return a ^ 0x8000_8000;
    }

    public static int ex2Approx(int a) {
        return Packed.pack(BF16.ex2Approx(Packed.lo(a)), BF16.ex2Approx(Packed.hi(a)));
    }

    public static int tanhApprox(int a) {
        return Packed.pack(BF16.tanhApprox(Packed.lo(a)), BF16.tanhApprox(Packed.hi(a)));
    }

    public static int ftz(int a) {
        return Packed.pack(BF16.ftz(Packed.lo(a)), BF16.ftz(Packed.hi(a)));
    }

    public static int relu(int a) {
        return Packed.pack(BF16.relu(Packed.lo(a)), BF16.relu(Packed.hi(a)));
    }

    public static int satfinite(int a) {
        return Packed.pack(BF16.satfinite(Packed.lo(a)), BF16.satfinite(Packed.hi(a)));
    }
}
