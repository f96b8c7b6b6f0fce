package facet.ring;

/**
 * Waits for another process: spins as long as that paid off lately, then sleeps.
 *
 * <p>Spinning answers within a microsecond and costs a core; being woken takes some fifty
 * microseconds. The bound doubles whenever spinning found something and halves when it did not. So
 * a busy session is answered at once, and an idle one costs nothing. One thread uses it.
 */
final class WaitStrategy {
    static final long LEAST_SPIN = 2_000; // nanoseconds
    static final long MOST_SPIN = 100_000;

    /**
     * The other process can undo what wakes us, so nobody sleeps longer than this without looking.
     */
    static final long LONGEST_SLEEP = 5_000_000_000L;

    private static final int LOOKS_PER_CLOCK = 16;

    /** What is waited for, and how to sleep for it. */
    interface Wait {
        boolean ready();

        /** Says in shared memory that we are about to sleep, or are awake again; fences. */
        void asleep(boolean asleep);

        /** Sleeps, unless it was told in between that we are awake. */
        void sleep(long nanos);
    }

    private final long most;
    private long spin;

    WaitStrategy() {
        // With one processor the other side cannot run while this one spins.
        this(Runtime.getRuntime().availableProcessors() > 1 ? MOST_SPIN : 0);
    }

    private WaitStrategy(long most) {
        this.most = most;
        spin = Math.min(LEAST_SPIN, most);
    }

    static WaitStrategy withoutSpinning() {
        return new WaitStrategy(0);
    }

    /**
     * @return whether it is ready; false when the time was over
     */
    boolean await(Wait wait, long timeoutNanos) {
        return spin(wait) || sleep(wait, timeoutNanos);
    }

    /** Nanoseconds that the next wait spins for. */
    long spinBound() {
        return spin;
    }

    @SuppressWarnings("ThreadPriorityCheck") // a yield between two looks, not a way to be in order
    private boolean spin(Wait wait) {
        if (wait.ready()) {
            return true;
        }
        if (most == 0) {
            return false;
        }
        long end = System.nanoTime() + spin;
        do {
            for (int look = 0; look < LOOKS_PER_CLOCK; look++) {
                Thread.onSpinWait();
                if (wait.ready()) {
                    spin = Math.min(most, spin * 2);
                    return true;
                }
            }
            // Clients and devices need cores too; where none is wanted this costs little.
            Thread.yield();
        } while (System.nanoTime() - end < 0);
        spin = Math.max(LEAST_SPIN, spin / 2);
        return false;
    }

    private static boolean sleep(Wait wait, long timeoutNanos) {
        long start = System.nanoTime();
        while (true) {
            long left = timeoutNanos - (System.nanoTime() - start);
            wait.asleep(true);
            if (wait.ready()) {
                wait.asleep(false);
                return true;
            }
            if (left <= 0) {
                wait.asleep(false);
                return false;
            }
            wait.sleep(Math.min(left, LONGEST_SLEEP));
        }
    }
}
