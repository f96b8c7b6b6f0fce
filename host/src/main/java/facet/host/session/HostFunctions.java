package facet.host.session;

import facet.device.Stream;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongPredicate;

/**
 * Functions of the program that are due, in the order of their streams. A stream is suspended until
 * the client says that its function has run. Any thread.
 */
final class HostFunctions {
    /** A stream that waits. */
    private record Waiting(SessionContext context, Runnable resume) {}

    private final LongPredicate ring;
    private final Map<Long, Waiting> waiting = new ConcurrentHashMap<>();
    private final ArrayDeque<Long> due = new ArrayDeque<>();

    /**
     * @param ring tells the client that the function with this token is due; false when there is no
     *     room
     */
    HostFunctions(LongPredicate ring) {
        this.ring = ring;
    }

    /** Puts the function behind what the stream has to do. */
    void submit(SessionContext context, SessionStream stream, long token) {
        context.work().submit(stream, device -> give(context, device, token));
    }

    /** The same, for work that was submitted as a whole. */
    void give(SessionContext context, Stream stream, long token) {
        AtomicBoolean told = new AtomicBoolean();
        stream.suspend(resume -> {
            told.set(true);
            suspend(token, new Waiting(context, resume));
        });
        // In a context with a fault nothing is suspended; the client still hears of it.
        stream.whenEnded(() -> {
            if (!told.get()) {
                tell(token);
            }
        });
    }

    private void suspend(long token, Waiting stream) {
        // A token twice at a time: nobody could say which of them has run.
        if (waiting.putIfAbsent(token, stream) != null
                || stream.context.isClosing() && waiting.remove(token, stream)) {
            stream.resume.run();
            return;
        }
        tell(token);
    }

    /** Whether a stream waits for the client. */
    boolean areUnderWay() {
        return !waiting.isEmpty();
    }

    /** The client hears that the function is due. */
    void tell(long token) {
        synchronized (due) {
            due.add(token);
            flush();
        }
    }

    private void flush() {
        synchronized (due) {
            while (!due.isEmpty() && ring.test(due.getFirst())) {
                due.removeFirst();
            }
        }
    }

    /** A function has run. Those of contexts that are gone are not waited for any more. */
    void done(long token) {
        Waiting found = waiting.remove(token);
        if (found != null) {
            found.resume.run();
        }
        flush();
    }

    /** Lets the streams of a context go on that is about to end. */
    void abandon(SessionContext context) {
        waiting.forEach((token, stream) -> {
            if (stream.context == context && waiting.remove(token, stream)) {
                stream.resume.run();
            }
        });
    }
}
