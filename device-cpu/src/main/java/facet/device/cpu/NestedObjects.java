package facet.device.cpu;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many streams, events and buffers of arguments the kernels of a context have made. Each launch
 * has its own, and a launch is there for as long as what it has launched: so all of them are
 * counted together, since each takes some hundred bytes here. Thread-safe.
 */
final class NestedObjects {
    /** As many as there may be launches by kernels. */
    static final int MOST = 1 << 16;

    private final AtomicInteger count = new AtomicInteger();

    /** False when there are too many. */
    boolean take() {
        if (count.incrementAndGet() <= MOST) {
            return true;
        }
        count.decrementAndGet();
        return false;
    }

    void give(int some) {
        count.addAndGet(-some);
    }
}
