package facet.jit.runtime;

import static facet.jit.runtime.AccessUnsafe.UNSAFE;

/**
 * The mbarrier object (PTX ISA 9.7.13.15): 8 bytes of shared memory, which PTX leaves opaque.
 *
 * <pre>
 *   63      61 60                40 39                20 19                 0
 *  +----------+--------------------+--------------------+--------------------+
 *  |  phase   | pending bytes, ±   | expected arrivals  | pending arrivals   |
 *  +----------+--------------------+--------------------+--------------------+
 * </pre>
 *
 * A phase ends when neither arrivals nor bytes are pending. The state that an arrival returns is
 * the object before it.
 *
 * <p>SAFETY: addresses come from {@link AccessUnsafe}'s checks. One thread of this process runs all
 * threads of a block and of its cluster, so that plain accesses are atomic among them.
 */
public final class MbarrierUnsafe {
    private static final int EXPECTED = 20;
    private static final int BYTES = 40;
    private static final int PHASE = 61;
    private static final long COUNT = (1L << 20) - 1;

    private MbarrierUnsafe() {}

    public static void init(long raw, int count) {
        UNSAFE.putLong(null, raw, object(0, 0, count, count));
    }

    public static void inval(long raw) {
        UNSAFE.putLong(null, raw, 0);
    }

    public static void expectTx(long raw, int bytes) {
        change(raw, bytes, 0, 0);
    }

    public static void completeTx(long raw, int bytes) {
        change(raw, -bytes, 0, 0);
    }

    public static long arrive(long raw, int count) {
        return change(raw, 0, count, 0);
    }

    public static long arriveExpectTx(long raw, int bytes) {
        return change(raw, bytes, 1, 0);
    }

    public static long arriveDrop(long raw, int count) {
        return change(raw, 0, count, count);
    }

    public static long arriveDropExpectTx(long raw, int bytes) {
        return change(raw, bytes, 1, 1);
    }

    /** Whether the phase in which the state was taken has ended. */
    public static boolean testWait(long raw, long state) {
        return phase(UNSAFE.getLong(null, raw)) != phase(state);
    }

    /** Whether the phase of this parity has ended: the current one has the other. */
    public static boolean testWaitParity(long raw, int parity) {
        return (phase(UNSAFE.getLong(null, raw)) & 1) != (parity & 1);
    }

    public static int pendingCount(long state) {
        return (int) (state & COUNT);
    }

    private static long phase(long object) {
        return object >>> PHASE;
    }

    private static long change(long raw, long bytes, long arrivals, long drops) {
        long old = UNSAFE.getLong(null, raw);
        long pendingBytes = (old << 3 >> (BYTES + 3)) + bytes;
        long expected = (old >>> EXPECTED & COUNT) - drops;
        long pending = (old & COUNT) - arrivals;
        boolean ends = pending == 0 && pendingBytes == 0;
        UNSAFE.putLong(
                null,
                raw,
                object(
                        ends ? phase(old) + 1 : phase(old),
                        pendingBytes,
                        expected,
                        ends ? expected : pending));
        return old;
    }

    private static long object(long phase, long bytes, long expected, long pending) {
        return phase << PHASE
                | bytes << (64 - (PHASE - BYTES)) >>> (64 - PHASE)
                | (expected & COUNT) << EXPECTED
                | pending & COUNT;
    }
}
