package facet.log;

import java.util.function.LongSupplier;

/** How many lines may be written: some at once, then a few in a while. Any thread. */
public final class Rate {
    private static final int AT_ONCE = 100;
    private static final long NANOS_PER_LINE = 1_000_000_000;

    private final LongSupplier clock;
    private long last;
    private long saved = AT_ONCE * NANOS_PER_LINE;
    private long leftOut;

    /**
     * @param clock nanoseconds
     */
    public Rate(LongSupplier clock) {
        this.clock = clock;
        last = clock.getAsLong();
    }

    /** Lines that were left out before this one, or -1 when this one is left out too. */
    public synchronized long admit() {
        long now = clock.getAsLong();
        saved = Math.min(AT_ONCE * NANOS_PER_LINE, saved + Math.max(0, now - last));
        last = now;
        if (saved < NANOS_PER_LINE) {
            leftOut++;
            return -1;
        }
        saved -= NANOS_PER_LINE;
        long before = leftOut;
        leftOut = 0;
        return before;
    }
}
