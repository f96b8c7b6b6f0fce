package facet.os;

import java.time.Duration;

/**
 * How long a process has taken for something, by what it could have done meanwhile. Time for which
 * it was ready to go on and others had the processors is not its own: on a busy machine a process
 * that is well is slow, and is not to be taken for one that hangs.
 */
public final class OwnTime {
    /** Who looks may have been kept from it: what is longer is not looked at. */
    static final Duration LONGEST = Duration.ofMillis(200);

    private long nanos;

    /**
     * @param elapsed nanoseconds since the last look
     * @param processor what it had of processors meanwhile
     * @param ready whether one of its threads waits for a processor or for a disk, or runs
     */
    public void add(long elapsed, long processor, boolean ready) {
        long seen = Math.min(elapsed, LONGEST.toNanos());
        // One that does nothing, though nothing hinders it, has all of the time to itself.
        nanos += ready ? Math.clamp(processor, 0, seen) : seen;
    }

    public boolean isOver(Duration most) {
        return nanos >= most.toNanos();
    }
}
