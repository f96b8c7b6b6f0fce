package facet.node.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Workers that have no sessions, with a slice or without. Each stays for a while, in case the next
 * program comes soon; beyond a number those end first that have been idle for longest.
 */
final class IdleWorkers implements AutoCloseable {
    static final int MOST = 8;

    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final long nanos;

    /** When each began to be idle, the oldest first. */
    private final Map<Idler, Long> since = new LinkedHashMap<>();

    private @Nullable Thread thread;
    private boolean closed;

    /** One of them. */
    interface Idler {
        /** Ends it, unless it is not idle any more. */
        void retire();

        /** Whether it is to be asked again and again if it may stay. */
        default boolean isLookedAfter() {
            return false;
        }

        default boolean mayStay() {
            return true;
        }
    }

    IdleWorkers(Duration idle) {
        nanos = idle.toNanos();
    }

    synchronized void add(Idler worker) {
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

    synchronized void remove(Idler worker) {
        since.remove(worker);
    }

    private void run() {
        while (true) {
            List<Idler> over = due();
            if (over.isEmpty()) {
                return;
            }
            over.forEach(Idler::retire);
        }
    }

    /** Waits for those whose time is over; empty when there is nobody to wait for. */
    private synchronized List<Idler> due() {
        List<Idler> over = new ArrayList<>();
        try {
            while (true) {
                if (closed || since.isEmpty()) {
                    thread = null;
                    return List.of();
                }
                long now = System.nanoTime();
                long next = Long.MAX_VALUE;
                int beyond = since.size() - MOST;
                for (Map.Entry<Idler, Long> each : since.entrySet()) {
                    long left = each.getValue() + nanos - now;
                    if (left <= 0 || beyond-- > 0 || !each.getKey().mayStay()) {
                        over.add(each.getKey());
                    } else {
                        long look = each.getKey().isLookedAfter() ? LOOK_NANOS : left;
                        next = Math.min(next, Math.min(left, look));
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
