package facet.node.worker;

import facet.abi.worker.ToWorker;
import facet.log.Log;
import facet.log.Who;
import java.io.IOException;

/**
 * The time for which a worker has one slice. What somebody says to it, or decides about it, because
 * of that slice is without effect when the time is over: the worker may have another one by then.
 * Any thread; nothing here waits.
 */
final class Tenure {
    private final StartedWorker worker;
    private final String slice;
    private final Log log;
    private boolean over;
    private boolean spoiled;

    Tenure(StartedWorker worker, String slice, Log log) {
        this.worker = worker;
        this.slice = slice;
        this.log = log;
    }

    StartedWorker worker() {
        return worker;
    }

    String slice() {
        return slice;
    }

    /** Sends unless that would block; false when the worker does not read. */
    synchronized boolean trySend(ToWorker message) throws IOException {
        return over || worker.link().trySend(message);
    }

    /**
     * @param who did it
     * @param why for people
     */
    synchronized void kill(Who who, String why) {
        if (!over) {
            spoiled = true;
            log.error(who, why);
            worker.process().destroyForcibly();
        }
    }

    /** Something went wrong in it: no other slice gets this worker. */
    synchronized void spoil() {
        spoiled = true;
    }

    /** It is over. Whether the worker may have another slice. */
    synchronized boolean end() {
        over = true;
        return !spoiled;
    }
}
