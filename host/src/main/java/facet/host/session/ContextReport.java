package facet.host.session;

import facet.ring.ContextStatus;

/** What a client reads about one of its contexts without asking. Any thread. */
final class ContextReport {
    private final ContextStatus status;
    private volatile long retired;
    private int fault;

    ContextReport(ContextStatus status) {
        this.status = status;
        status.clear();
    }

    /** The first one stays. */
    synchronized void fault(int result) {
        if (fault == 0) {
            fault = result;
            status.fault(result);
        }
    }

    synchronized void retire(long commands) {
        if (commands != 0) {
            retired = retired + commands;
            status.retired(retired);
        }
    }

    /** How many asynchronous commands have ended. */
    long retired() {
        return retired;
    }

    /** Whether some of its memory is not on the device; what the client says is read afterwards. */
    void moved(boolean moved) {
        status.moved(moved);
    }

    boolean isTouched() {
        return status.touching() != 0;
    }

    /** So many ranges of freed memory have gone back to the system. */
    void returned(long ranges) {
        status.returned(ranges);
    }

    synchronized void used(long bytes) {
        status.used(bytes);
    }
}
