package facet.pool.relay;

import java.util.ArrayDeque;
import java.util.TreeSet;

/**
 * How many bulk messages have been handled, and what waits for more of them. A message that named
 * data which is not here counts when the data has come, and so do those behind it.
 */
final class Arrived {
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private final TreeSet<Long> missing = new TreeSet<>();
    private long count;
    private boolean over;

    private record Waiting(long needs, Runnable action) {}

    /** One more; runs what has waited for it. */
    synchronized void one() {
        count++;
        settle();
    }

    /** One more, of which the data is missing; says its number. */
    synchronized long missing() {
        missing.add(count);
        return count++;
    }

    /** Messages whose data is missing. */
    synchronized int missed() {
        return missing.size();
    }

    /** The data of a message has come. */
    synchronized void found(long number) {
        if (missing.remove(number)) {
            settle();
        }
    }

    private void settle() {
        notifyAll();
        runReady();
    }

    private long ready() {
        return missing.isEmpty() ? count : missing.first();
    }

    /**
     * Runs the action when so many have come, in the order of these calls among those that wait.
     */
    synchronized void when(long needs, Runnable action) {
        if (needs <= ready()) {
            action.run();
        } else {
            waiting.add(new Waiting(needs, action));
        }
    }

    private void runReady() {
        for (Waiting next = waiting.peek();
                next != null && next.needs <= ready();
                next = waiting.peek()) {
            waiting.remove();
            next.action.run();
        }
    }

    /** Waits; false when the end came first. */
    synchronized boolean await(long needs) throws InterruptedException {
        while (ready() < needs && !over) {
            wait();
        }
        return !over;
    }

    synchronized void end() {
        over = true;
        waiting.clear();
        notifyAll();
    }
}
