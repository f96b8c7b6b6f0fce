package facet.host.session;

import java.util.ArrayList;
import java.util.List;

/**
 * How many commands of a stream have been retired, and who waits for that. All that an event knows
 * of its stream: events may outlive the session whose stream it was, and what that had. One thread
 * at a time retires; any thread asks.
 */
final class StreamProgress {
    private volatile long retired;

    /** Their monitor guards them. */
    private final List<Waiter> waiters = new ArrayList<>();

    private record Waiter(long count, Runnable action) {}

    long retired() {
        return retired;
    }

    boolean hasRetired(long count) {
        return retired >= count;
    }

    /** Runs the action when so many are retired: at once, or on a thread of the device. */
    void whenRetired(long count, Runnable action) {
        synchronized (waiters) {
            if (!hasRetired(count)) {
                waiters.add(new Waiter(count, action));
                return;
            }
        }
        action.run();
    }

    /** Some more have ended; {@link #tell} follows. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer at a time
    void retire(int count) {
        retired += count;
    }

    /** Tells those whose commands have been retired. */
    void tell() {
        List<Waiter> due;
        synchronized (waiters) {
            if (waiters.isEmpty()) {
                return;
            }
            due = waiters.stream().filter(each -> hasRetired(each.count)).toList();
            waiters.removeAll(due);
        }
        due.forEach(each -> each.action.run());
    }
}
