package facet.jit.runtime;

/**
 * Whether the JVM's stack has room left, some 20 KiB of it: what the daemon does for a kernel needs
 * less. Where there is none, the stack overflows here, and nothing is half done. It is some hundred
 * calls deep, about a microsecond, and is for places that are reached every 50 µs.
 */
final class StackRoom {
    private static final int DEPTH = 100;

    private StackRoom() {}

    static void demand() {
        if (descend(DEPTH, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) == 0) {
            throw new IllegalStateException("numbers that grow cannot sum up to nothing");
        }
    }

    /** Its many arguments are what takes the room: those beyond the sixth lie on the stack. */
    private static long descend(
            int left,
            long a,
            long b,
            long c,
            long d,
            long e,
            long f,
            long g,
            long h,
            long i,
            long j,
            long k,
            long l,
            long m,
            long n,
            long o,
            long p) {
        if (left == 0) {
            return 1 + a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p;
        }
        return 1 + descend(left - 1, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, a);
    }
}
