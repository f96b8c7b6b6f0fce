package facet.jit;

/**
 * Decides between scalar and vector code of a kernel by what they take. Vector code is very slow
 * until C2 has compiled it, so it is trained first: in one row of each block, in a fifth of the
 * time at most after a start. When a row is faster than scalar code's, whole blocks are tried.
 * Updates race; a lost one does no harm.
 */
public final class Choice {
    /** How the next blocks are to run. */
    public enum Mode {
        SCALAR,
        /** Vector code in one row of each region, scalar code in the others. */
        TRAINING,
        ROWS
    }

    /** Samples in a row that must agree. */
    private static final int AGREEING = 8;

    /** Training that is free, so that vector code comes soon where it is worth most. */
    private static final long CREDIT = 300_000_000L;

    /** Vector code that was trained so long and is still slower will not get faster. */
    private static final long PATIENCE = 6_000_000_000L;

    private volatile Mode settled = Mode.TRAINING;
    private volatile long scalarNanos;
    private volatile double scalarBlock;
    private volatile long trialNanos;
    private volatile int fastRows;
    private volatile int fastBlocks;

    /** Whether no more samples are wanted. */
    public boolean isSettled() {
        return settled != Mode.TRAINING;
    }

    public Mode mode() {
        if (isSettled()) {
            return settled;
        }
        if (fastBlocks > 0) {
            return Mode.ROWS;
        }
        if (trialNanos >= CREDIT + scalarNanos / 4) {
            return Mode.SCALAR;
        }
        return fastRows > 2 ? Mode.ROWS : Mode.TRAINING;
    }

    void settle(Mode mode) {
        settled = mode;
    }

    /** Notes how long some blocks took in scalar code. */
    public void scalar(long nanos, int blocks) {
        double each = (double) nanos / blocks;
        scalarNanos = scalarNanos + nanos;
        scalarBlock = scalarBlock == 0 ? each : scalarBlock * 0.8 + each * 0.2;
    }

    /**
     * Notes a training.
     *
     * @param nanos of all
     * @param row what the rows done by vector code took in the mean
     * @param share how many such rows a block has
     */
    public void training(long nanos, double row, double share) {
        trialNanos = trialNanos + nanos;
        fastRows = row * share < scalarBlock ? fastRows + 1 : 0;
        if (trialNanos > PATIENCE) {
            settled = Mode.SCALAR;
        }
    }

    /** Notes how long some blocks took in vector code. */
    public void rows(long nanos, int blocks) {
        trialNanos = trialNanos + nanos;
        fastBlocks = (double) nanos / blocks < scalarBlock ? fastBlocks + 1 : 0;
        if (fastBlocks >= AGREEING) {
            settled = Mode.ROWS;
        } else if (trialNanos > PATIENCE) {
            settled = Mode.SCALAR;
        }
    }
}
