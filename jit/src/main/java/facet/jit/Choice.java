package facet.jit;

/**
 * Decides between scalar and vector code of a kernel by what their blocks take. Vector code is slow
 * until C2 has compiled it, so it gets a fifth of the time at most until one of its blocks was the faster.
 * Updates race; a lost one does no harm.
 */
public final class Choice {
    /** Samples in a row that must agree. */
    private static final int AGREEING = 8;

    /** Vector code that has run so long and is still slower will not get faster. */
    private static final long PATIENCE = 4_000_000_000L;

    private volatile int settled;
    private volatile long scalarNanos;
    private volatile long rowNanos;
    private volatile double scalarBlock;
    private volatile int agreeing;

    /** Whether no more samples are wanted. */
    public boolean isSettled() {
        return settled != 0;
    }

    public boolean rows() {
        return settled != 0 ? settled > 0 : agreeing > 0 || rowNanos < scalarNanos / 4;
    }

    void settle(boolean rows) {
        settled = rows ? 1 : -1;
    }

    /** Notes how long some blocks took. */
    @SuppressWarnings("NonAtomicVolatileUpdate")
    public void sample(boolean rows, long nanos, int blocks) {
        double each = (double) nanos / blocks;
        if (!rows) {
            scalarNanos += nanos;
            scalarBlock = scalarBlock == 0 ? each : scalarBlock * 0.7 + each * 0.3;
            return;
        }
        rowNanos += nanos;
        agreeing = each < scalarBlock ? agreeing + 1 : 0;
        if (agreeing >= AGREEING) {
            settled = 1;
        } else if (rowNanos > PATIENCE) {
            settled = -1;
        }
    }
}
