package facet.doors.http;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * What those who show no token may cost the daemon: its time is that of all slices. Who comes when
 * it is used up waits, which costs nothing and slows down those who ask again and again; who would
 * have to wait for long is refused in the end.
 */
final class Budget {
    /** So much of a core. */
    private static final double CORES = 0.1;

    /** What was not used is kept, up to this much. */
    private static final long SAVED_NANOS = 500_000_000;

    private static final long LONGEST_WAIT = 2_000_000_000;

    /** What a request costs that does nothing: a connection, a thread, reading and writing. */
    static final long REQUEST_NANOS = 500_000;

    private static final double NANOS_PER_BYTE = 1;

    /** One answer does not use up what is for all, however long it had to wait for others. */
    private static final long MOST_NANOS = 100_000_000;

    private final LongSupplier clock;
    private final LongConsumer park;

    /** When all is paid that was taken so far. */
    private long paid;

    Budget() {
        this(System::nanoTime, LockSupport::parkNanos);
    }

    /**
     * @param clock in nanoseconds
     * @param park waits for so many of them, or less
     */
    Budget(LongSupplier clock, LongConsumer park) {
        this.clock = clock;
        this.park = park;
        paid = clock.getAsLong() - SAVED_NANOS;
    }

    /** Before a request is looked at: waits, and may refuse it then. */
    void enter() {
        long wait = reserve();
        pause(Math.min(wait, LONGEST_WAIT));
        if (wait > LONGEST_WAIT) {
            // Not at once: a refusal costs something too, and brings the next request.
            throw new Refusal(
                    429,
                    "too much is asked without a token",
                    "ask less often, or send the token; it is answered in "
                            + ((wait - LONGEST_WAIT) / 1_000_000_000 + 1)
                            + " s");
        }
    }

    private void pause(long nanos) {
        for (long end = clock.getAsLong() + nanos, left = nanos; left > 0; ) {
            park.accept(left);
            left = Thread.currentThread().isInterrupted() ? 0 : end - clock.getAsLong();
        }
    }

    /** How long a request has to wait; it is paid for unless that is too long. */
    synchronized long reserve() {
        long now = clock.getAsLong();
        paid = Math.max(paid, now - SAVED_NANOS);
        long wait = Math.max(0, paid - now);
        if (wait <= LONGEST_WAIT) {
            add(REQUEST_NANOS);
        }
        return wait;
    }

    /** An answer has taken so long to make. */
    synchronized void spend(long nanos) {
        add(Math.min(nanos, MOST_NANOS));
    }

    /** So much is sent. */
    synchronized void send(long bytes) {
        add((long) (bytes * NANOS_PER_BYTE));
    }

    private void add(long nanos) {
        paid += (long) (nanos / CORES);
    }
}
