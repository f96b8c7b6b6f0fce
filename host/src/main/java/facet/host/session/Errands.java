package facet.host.session;

import facet.os.Uninterrupted;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Does what would keep a session's thread waiting: in the order in which it was asked for, on a few
 * threads, which are there as long as there is something to do. Any thread.
 */
final class Errands {
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private record Errand(SessionContext context, Runnable work) {}

    private final Thread.Builder threads;
    private final int most;
    private final BiConsumer<String, Throwable> defect;
    private final ArrayDeque<Errand> waiting = new ArrayDeque<>();

    /** How many wait or are being done, by context. */
    private final Map<SessionContext, Integer> left = new HashMap<>();

    private int running;
    private int idle;
    private boolean closed;

    /**
     * @param threads makes its threads
     * @param most of them at once
     * @param defect is told of what should not have happened
     */
    Errands(Thread.Builder threads, int most, BiConsumer<String, Throwable> defect) {
        this.threads = threads;
        this.most = most;
        this.defect = defect;
    }

    /** Does the work, begun behind what was asked for before. */
    void run(SessionContext context, Runnable work) {
        synchronized (this) {
            waiting.add(new Errand(context, work));
            left.merge(context, 1, Integer::sum);
            if (idle >= waiting.size() || running == most) {
                notifyAll();
                return;
            }
            running++;
            try {
                threads.start(this::runAll);
                return;
            } catch (OutOfMemoryError e) {
                // The system has no thread for it: then another one does it, or whoever asks.
                running--;
                if (running > 0) {
                    return;
                }
                running++;
            }
        }
        runAll(0);
    }

    private void runAll() {
        runAll(IDLE_NANOS);
    }

    private void runAll(long patience) {
        for (Errand next = poll(patience); next != null; next = poll(patience)) {
            perform(next);
        }
    }

    /** Null, and the thread does not run any more, when nothing came for so long. */
    private synchronized @Nullable Errand poll(long patience) {
        long end = System.nanoTime() + patience;
        while (waiting.isEmpty()) {
            long nanos = end - System.nanoTime();
            if (closed || nanos <= 0) {
                running--;
                return null;
            }
            idle++;
            try {
                TimeUnit.NANOSECONDS.timedWait(this, nanos);
            } catch (InterruptedException e) {
                // Nobody means it; it has nothing to do, and ends.
                end = System.nanoTime();
            } finally {
                idle--;
            }
        }
        return waiting.poll();
    }

    private void perform(Errand errand) {
        try {
            errand.work.run();
        } catch (RuntimeException | Error e) {
            defect.accept("context " + errand.context.id(), e);
        } finally {
            synchronized (this) {
                left.computeIfPresent(errand.context, (_, count) -> count == 1 ? null : count - 1);
                notifyAll();
            }
        }
    }

    /** Waits until nothing is to be done for the context any more; no more comes for it. */
    synchronized void await(SessionContext context) {
        Uninterrupted.waitWhile(this, () -> left.containsKey(context));
    }

    /** Its threads end when nothing is left to be done. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }
}
