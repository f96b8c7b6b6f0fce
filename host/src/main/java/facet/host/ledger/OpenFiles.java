package facet.host.ledger;

import facet.os.ProcessUnsafe;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Descriptors of this process, so that one slice does not use them up. A slice may have half of
 * what the others leave: when it floods the daemon there is as much again for everybody else. Any
 * thread.
 *
 * <p>The JVM raises the limit to the hard one when it starts.
 */
final class OpenFiles {
    /** For classes, logs, sockets that wait to be greeted. */
    private static final long OWN = 256;

    private static final long WITHOUT_LIMIT = 1 << 20;

    private static final OpenFiles OF_PROCESS = new OpenFiles(Math.max(OWN, limit() - OWN));

    private final long most;
    private final AtomicLong all = new AtomicLong();

    /**
     * @param most that all slices may have
     */
    OpenFiles(long most) {
        this.most = most;
    }

    static OpenFiles ofProcess() {
        return OF_PROCESS;
    }

    /** How many files this process may have open. */
    private static long limit() {
        long limit = ProcessUnsafe.openFiles();
        return limit < 0 ? WITHOUT_LIMIT : limit;
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
