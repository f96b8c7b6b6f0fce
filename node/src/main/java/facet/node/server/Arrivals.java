package facet.node.server;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How quickly the programs of a slice come in. To open a session and to end it costs the daemon
 * some milliseconds of a core: mappings, threads, and a halt of all threads of the JVM when a
 * mapping goes. So a slice whose programs come and go by the thousands would take the time of the
 * others, and nobody would count it. While programs of other slices are there, all that are more
 * than some at once come at such a pace that they cost no more than a small part of the machine.
 *
 * <p>One thread lets programs in; they leave on any.
 */
final class Arrivals {
    /** What a short session costs from its greeting to its end; measured, 2 to 6 ms. */
    static final long COST_NANOS = 5_000_000;

    /** Of the machine's time. */
    private static final int PART = 8;

    /** Come without waiting: a job may well start so many programs. */
    static final int AT_ONCE = 64;

    private final AtomicInteger all;
    private final AtomicInteger own = new AtomicInteger();
    private final long interval;

    /** When the bucket will have run dry; the nanoseconds of {@link System#nanoTime}. */
    private long paidUntil;

    /**
     * @param all that are there, of all slices
     * @param now nanoseconds
     */
    Arrivals(AtomicInteger all, int cores, long now) {
        this.all = all;
        this.interval = COST_NANOS * PART / cores;
        this.paidUntil = now;
    }

    private static final AtomicInteger OF_PROCESS = new AtomicInteger();

    static Arrivals inProcess() {
        return new Arrivals(
                OF_PROCESS, Runtime.getRuntime().availableProcessors(), System.nanoTime());
    }

    /** One comes in; the nanoseconds for which it has to wait before. */
    long enter(long now) {
        boolean alone = all.getAndIncrement() <= own.getAndIncrement();
        if (paidUntil - now < 0) {
            paidUntil = now;
        }
        if (alone) {
            return 0;
        }
        paidUntil += interval;
        return Math.max(0, paidUntil - now - AT_ONCE * interval);
    }

    void leave() {
        all.decrementAndGet();
        own.decrementAndGet();
    }
}
