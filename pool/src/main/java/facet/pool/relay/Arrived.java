package facet.pool.relay;

import java.util.ArrayDeque;

/** How many bulk messages have been handled, and what waits for more of them. */
final class Arrived {
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private long count;
    private boolean over;

    private record Waiting(long needs, Runnable action) {}

    /** One more; runs what has waited for it. */
    void one() {
        synchronized (this) {
            count++;
            notifyAll();
            runReady();
        }
    }

    /**
     * Runs the action when so many have come, in the order of these calls among those that wait.
     */
    synchronized void when(long needs, Runnable action) {
        if (needs <= count) {
            action.run();
        } else {
            waiting.add(new Waiting(needs, action));
        }
    }

    private void runReady() {
        for (Waiting next = waiting.peek();
                next != null && next.needs <= count;
                next = waiting.peek()) {
            waiting.remove();
            next.action.run();
        }
    }

    /** Waits; false when the end came first. */
    synchronized boolean await(long needs) throws InterruptedException {
        while (count < needs && !over) {
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
