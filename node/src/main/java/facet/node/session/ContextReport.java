package facet.node.session;

import facet.ring.ContextStatus;

/** What a client reads about one of its contexts without asking. Any thread. */
final class ContextReport {
    private final ContextStatus status;
    private long retired;
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
            retired += commands;
            status.retired(retired);
        }
    }

    synchronized void used(long bytes) {
        status.used(bytes);
    }
}
