package facet.host.session;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntToLongFunction;

/** What a session has used. Any thread. */
public final class Usage {
    private final AtomicLong launches = new AtomicLong();
    private final AtomicLongArray endedNanos;
    private volatile IntToLongFunction runningNanos = device -> 0;

    /**
     * @param devices that the session sees
     */
    Usage(int devices) {
        endedNanos = new AtomicLongArray(devices);
    }

    void launched() {
        launches.incrementAndGet();
    }

    /** By graphs, which launch many at once. */
    void launched(int count) {
        launches.addAndGet(count);
    }

    /** Device time of a context that is about to end. */
    void ended(int device, long nanos) {
        endedNanos.addAndGet(device, nanos);
    }

    /**
     * @param nanos device time of the contexts that there are, by device
     */
    void running(IntToLongFunction nanos) {
        runningNanos = nanos;
    }

    public long launches() {
        return launches.get();
    }

    /** Time for which kernels of the session occupied workers of a device. */
    public long deviceNanos(int device) {
        return endedNanos.get(device) + runningNanos.applyAsLong(device);
    }

    /** The same of all devices. */
    public long deviceNanos() {
        long sum = 0;
        for (int i = 0; i < endedNanos.length(); i++) {
            sum += deviceNanos(i);
        }
        return sum;
    }
}
