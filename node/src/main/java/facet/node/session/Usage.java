package facet.node.session;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** What a session has used. Any thread. */
public final class Usage {
    private final AtomicLong launches = new AtomicLong();
    private final AtomicLong endedNanos = new AtomicLong();
    private volatile LongSupplier runningNanos = () -> 0;

    void launched() {
        launches.incrementAndGet();
    }

    /** Device time of a context that is about to end. */
    void ended(long nanos) {
        endedNanos.addAndGet(nanos);
    }

    void running(LongSupplier nanos) {
        runningNanos = nanos;
    }

    public long launches() {
        return launches.get();
    }

    /** Time for which kernels of the session occupied workers of a device. */
    public long deviceNanos() {
        return endedNanos.get() + runningNanos.getAsLong();
    }
}
