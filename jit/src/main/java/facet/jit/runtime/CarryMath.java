package facet.jit.runtime;

/** Carry out of {@code a + b + c} and borrow out of {@code a - b - c}, with c 0 or 1. */
public final class CarryMath {
    private CarryMath() {}

    public static int carry32(int a, int b, int c) {
        return (int) (Integer.toUnsignedLong(a) + Integer.toUnsignedLong(b) + c >>> 32);
    }

    public static int borrow32(int a, int b, int c) {
        return (int) (Integer.toUnsignedLong(a) - Integer.toUnsignedLong(b) - c >>> 63);
    }

    public static int carry64(long a, long b, int c) {
        long sum = a + b;
        boolean first = Long.compareUnsigned(sum, a) < 0;
        boolean second = c != 0 && sum == -1L;
        return first || second ? 1 : 0;
    }

    public static int borrow64(long a, long b, int c) {
        boolean first = Long.compareUnsigned(a, b) < 0;
        boolean second = c != 0 && a == b;
        return first || second ? 1 : 0;
    }
}
