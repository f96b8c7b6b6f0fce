package facet.node.worker;

import facet.os.OwnTime;
import facet.os.ProcessState;
import facet.os.ProcessorTimeUnsafe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Sessions of a worker that were told to end. What they run stops within a moment; where it does
 * not, the worker is of no use to anybody. Measured by {@link OwnTime}, so that a busy machine
 * costs no worker.
 */
final class EndingSessions {
    private static final Duration LOOK = Duration.ofMillis(100);

    /** Until nothing of a session runs any more. */
    static final Duration STOP = Duration.ofSeconds(1);

    /** The same where work cannot be stopped: what was begun comes to its end, or never does. */
    static final Duration STOP_OF_LAUNCHES = Duration.ofSeconds(10);

    /** Until its memory is with the system too, which takes as long as there is memory. */
    static final Duration END = Duration.ofSeconds(60);

    private final int process;
    private final Duration stop;
    private final Predicate<RemoteSession> isThere;
    private final Consumer<RemoteSession> hangs;
    private final Map<RemoteSession, OwnTime> waiting = new LinkedHashMap<>();
    private boolean watched;

    /**
     * @param process the worker's
     * @param stop until nothing of a session runs any more
     * @param isThere whether a session has not ended yet
     * @param hangs what to do when one does not end; any thread
     */
    EndingSessions(
            int process,
            Duration stop,
            Predicate<RemoteSession> isThere,
            Consumer<RemoteSession> hangs) {
        this.process = process;
        this.stop = stop;
        this.isThere = isThere;
        this.hangs = hangs;
    }

    /** It was told to end just now. */
    synchronized void add(RemoteSession session) {
        waiting.putIfAbsent(session, new OwnTime());
        if (!watched) {
            watched = true;
            Thread.ofVirtual().name("facet-worker-end").start(this::watch);
        }
    }

    private void watch() {
        long time = System.nanoTime();
        long processor = ProcessorTimeUnsafe.of(process).orElse(0);
        try {
            while (true) {
                Thread.sleep(LOOK);
                if (isOver()) {
                    return;
                }
                ProcessState state = ProcessState.of(process);
                long now = System.nanoTime();
                look(now - time, state.processor() - processor, state.ready()).forEach(hangs);
                time = now;
                processor = state.processor();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Forgets those that have ended; says whether there is nobody left to watch. */
    private synchronized boolean isOver() {
        waiting.keySet().removeIf(each -> !isThere.test(each));
        watched = !waiting.isEmpty();
        return !watched;
    }

    private synchronized List<RemoteSession> look(long elapsed, long processor, boolean ready) {
        List<RemoteSession> hanging = new ArrayList<>();
        waiting.forEach((session, own) -> {
            own.add(elapsed, processor, ready);
            if (own.isOver(session.isStopped() ? END : stop)) {
                hanging.add(session);
            }
        });
        hanging.forEach(waiting::remove);
        return hanging;
    }
}
