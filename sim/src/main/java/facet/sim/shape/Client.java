package facet.sim.shape;

import facet.sched.Entitlement;
import facet.sched.Share;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.SplittableRandom;

/**
 * One of those who share a device in {@link SharedDevice}: brings work, and notes how long it took
 * from its coming to its end. Times are nanoseconds.
 */
final class Client extends Share {
    /** A piece of work. */
    static final class Work {
        final long came;
        long rest;

        Work(long came, long rest) {
            this.came = came;
            this.rest = rest;
        }
    }

    private final double perNano;
    private final long nanos;
    private final boolean returns;
    private final SplittableRandom random;
    final Deque<Work> queue = new ArrayDeque<>();
    private long[] latencies = new long[64];
    private int ended;

    private Client(
            Entitlement entitlement, double perNano, long nanos, boolean returns, long seed) {
        super(entitlement);
        this.perNano = perNano;
        this.nanos = nanos;
        this.returns = returns;
        random = new SplittableRandom(seed);
    }

    /**
     * Somebody whose requests come by chance, whatever became of those before.
     *
     * @param load of a device, on average
     * @param nanos of device time that a request takes, a fifth more or less
     */
    static Client open(Entitlement entitlement, double load, long nanos, long seed) {
        return new Client(entitlement, load / nanos, nanos, false, seed);
    }

    /**
     * A program that has one piece of work at a time, and needs a while on the processor between
     * them.
     *
     * @param nanos of a piece, a fifth more or less
     * @param pause between the end of one and the coming of the next, on average
     */
    static Client closed(Entitlement entitlement, long nanos, long pause, long seed) {
        return new Client(entitlement, 1.0 / pause, nanos, true, seed);
    }

    /** When the next work comes, after now or after the last one came. */
    long next(long now) {
        double wait = -Math.log(1 - random.nextDouble()) / perNano;
        return now + (long) Math.min(wait, 1e18);
    }

    boolean returns() {
        return returns;
    }

    Work work(long now) {
        return new Work(now, (long) (nanos * (0.8 + 0.4 * random.nextDouble())));
    }

    void ended(Work work, long now) {
        if (ended == latencies.length) {
            latencies = Arrays.copyOf(latencies, 2 * ended);
        }
        latencies[ended++] = now - work.came;
    }

    /** Of all that ended; what still waits counts with the time so far. */
    long[] latencies(long now) {
        long[] all = Arrays.copyOf(latencies, ended + queue.size());
        int next = ended;
        for (Work each : queue) {
            all[next++] = now - each.came;
        }
        return all;
    }
}
