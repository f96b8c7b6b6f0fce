package facet.host.share;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Entries in this process's table of mappings that pieces of segments take, so that one slice does
 * not use them up: a process without a free one can map nothing any more, not even a stack. A slice
 * may have half of what the others leave. Any thread.
 */
final class Maps {
    /** Of some 65,000 that the system allows a process. */
    private static final long MOST = 8 << 10;

    private static final Maps OF_PROCESS = new Maps(MOST);

    private final long most;
    private final AtomicLong all = new AtomicLong();

    /**
     * @param most that all slices may have
     */
    Maps(long most) {
        this.most = most;
    }

    static Maps ofProcess() {
        return OF_PROCESS;
    }

    /**
     * @param present what the slice has now
     */
    boolean take(long present, long more) {
        while (true) {
            long before = all.get();
            if (present + more > (most - (before - present)) / 2) {
                return false;
            }
            if (all.compareAndSet(before, before + more)) {
                return true;
            }
        }
    }

    void give(long count) {
        all.addAndGet(-count);
    }
}
