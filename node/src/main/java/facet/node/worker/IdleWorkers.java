package facet.node.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Workers that have a slice and no sessions. Each stays for a while, in case its slice's next
 * program comes soon; beyond a number those end first that have been idle for longest.
 */
final class IdleWorkers implements AutoCloseable {
    private static final int MOST = 8;

    private final long nanos;

    /** When each began to be idle, the oldest first. */
    private final Map<RunningWorker, Long> since = new LinkedHashMap<>();

    private @Nullable Thread thread;
    private boolean closed;

    IdleWorkers(Duration idle) {
        nanos = idle.toNanos();
    }

    synchronized void add(RunningWorker worker) {
        if (closed) {
            return;
        }
        since.remove(worker);
        since.put(worker, System.nanoTime());
        if (thread == null) {
            thread = Thread.ofPlatform().name("facet-workers-idle").daemon().start(this::run);
        }
        notifyAll();
    }

    synchronized void remove(RunningWorker worker) {
        since.remove(worker);
    }

    private void run() {
        while (true) {
            List<RunningWorker> over = due();
            if (over.isEmpty()) {
                return;
            }
            over.forEach(RunningWorker::retire);
        }
    }

    /** Waits for those whose time is over; empty when there is nobody to wait for. */
    private synchronized List<RunningWorker> due() {
        List<RunningWorker> over = new ArrayList<>();
        try {
            while (true) {
                if (closed || since.isEmpty()) {
                    thread = null;
                    return List.of();
                }
                long now = System.nanoTime();
                long next = Long.MAX_VALUE;
                int beyond = since.size() - MOST;
                for (Map.Entry<RunningWorker, Long> each : since.entrySet()) {
                    long left = each.getValue() + nanos - now;
                    if (left <= 0 || beyond-- > 0) {
                        over.add(each.getKey());
                    } else {
                        next = Math.min(next, left);
                    }
                }
                over.forEach(since::remove);
                if (!over.isEmpty()) {
                    return over;
                }
                TimeUnit.NANOSECONDS.timedWait(this, next);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            thread = null;
            return List.of();
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        since.clear();
        notifyAll();
    }
}
