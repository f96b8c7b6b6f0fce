package facet.node.worker;

import facet.log.Log;
import facet.log.Who;
import facet.node.server.HostPlace;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Asks a worker what its sessions use. One question is under way at a time: a worker that does not
 * answer is not told more and more, until there is no room and whoever tells it waits too.
 */
final class Questions {
    /** Sends one. */
    interface Asking {
        void send() throws IOException;
    }

    private final Asking asking;
    private final String slice;
    private final Log log;
    private long questions;
    private long answers;

    /** Number of the answer that is new enough for all who have asked. */
    private long wanted;

    private long answered = System.nanoTime();
    private boolean closed;

    /**
     * @param slice for the log
     */
    Questions(Asking asking, String slice, Log log) {
        this.asking = asking;
        this.slice = slice;
        this.log = log;
    }

    synchronized HostPlace.Asked ask() {
        if (closed) {
            return HostPlace.Asked.ANSWERED;
        }
        // An answer that is on its way may be of a moment before this one.
        wanted = questions + 1;
        if (questions == answers) {
            question();
        }
        long number = wanted;
        return until -> await(number, until);
    }

    /** The monitor is held. */
    private void question() {
        questions++;
        try {
            asking.send();
        } catch (IOException e) {
            log.debug(Who.slice(slice), "its worker: " + e.getMessage());
        }
    }

    synchronized void answered() {
        answers++;
        answered = System.nanoTime();
        if (wanted > questions && !closed) {
            question();
        }
        notifyAll();
    }

    private synchronized void await(long number, long until) {
        try {
            long left = until - System.nanoTime();
            while (answers < number && !closed && left > 0) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
                left = until - System.nanoTime();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** When the last answer came. */
    synchronized long answeredNanos() {
        return answered;
    }

    /** Nobody is asked any more, and nobody waits. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }
}
