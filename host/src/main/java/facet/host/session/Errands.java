package facet.host.session;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * Does what would keep a session's thread waiting: one after the other, on one thread, which is
 * there as long as there is something to do. Any thread.
 */
final class Errands {
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private record Errand(SessionContext context, Runnable work) {}

    private final Thread.Builder threads;
    private final BiConsumer<String, Throwable> defect;
    private final ArrayDeque<Errand> waiting = new ArrayDeque<>();

    /** How many wait or are being done, by context. */
    private final Map<SessionContext, Integer> left = new HashMap<>();

    private boolean running;
    private boolean closed;

    /**
     * @param threads makes its thread
     * @param defect is told of what should not have happened
     */
    Errands(Thread.Builder threads, BiConsumer<String, Throwable> defect) {
        this.threads = threads;
        this.defect = defect;
    }

    /** Does the work behind what was asked for before. */
    void run(SessionContext context, Runnable work) {
        synchronized (this) {
            waiting.add(new Errand(context, work));
            left.merge(context, 1, Integer::sum);
            if (running) {
                notifyAll();
                return;
            }
            running = true;
            try {
                threads.start(this::runAll);
                return;
            } catch (OutOfMemoryError e) {
                // The system has no thread for it: then whoever asks does it.
                running = false;
            }
        }
        doAll();
    }

    private void doAll() {
        for (Errand next = poll(0); next != null; next = poll(0)) {
            perform(next);
        }
    }

    private void runAll() {
        for (Errand next = poll(IDLE_NANOS); next != null; next = poll(IDLE_NANOS)) {
            perform(next);
        }
    }

    /** Null, and nobody runs any more, when nothing came for so long. */
    private synchronized @org.jspecify.annotations.Nullable Errand poll(long patience) {
        long end = System.nanoTime() + patience;
        while (waiting.isEmpty()) {
            long nanos = end - System.nanoTime();
            if (closed || nanos <= 0) {
                running = false;
                return null;
            }
            try {
                TimeUnit.NANOSECONDS.timedWait(this, nanos);
            } catch (InterruptedException e) {
                running = false;
                Thread.currentThread().interrupt();
                return null;
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
    void await(SessionContext context) {
        boolean interrupted = false;
        synchronized (this) {
            while (left.containsKey(context)) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Its thread ends when nothing is left to be done. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }
}
