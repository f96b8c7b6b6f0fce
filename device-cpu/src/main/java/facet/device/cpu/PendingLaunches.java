package facet.device.cpu;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How much kernels of a context have launched that has not ended, and how much it may be ({@code
 * cudaLimitDevRuntimePendingLaunchCount}). Kernels that launch themselves go on as long as they are
 * let; this is what keeps them from filling our memory. Thread-safe.
 */
final class PendingLaunches {
    private static final int USUAL = 2048;

    /** Whatever a program sets: each takes some hundred bytes here. */
    private static final int MOST = 1 << 16;

    /** Kernels with so many launches under way let those run before their next block. */
    private static final int CROWDED = 256;

    private final AtomicInteger pending = new AtomicInteger();
    private volatile int limit = USUAL;

    void limit(long most) {
        limit = Math.clamp(most, 0, MOST);
    }

    int limit() {
        return limit;
    }

    /** False when there are too many. */
    boolean take() {
        if (pending.incrementAndGet() <= limit) {
            return true;
        }
        pending.decrementAndGet();
        return false;
    }

    void give() {
        pending.decrementAndGet();
    }

    boolean isCrowded() {
        return pending.get() >= CROWDED;
    }
}
