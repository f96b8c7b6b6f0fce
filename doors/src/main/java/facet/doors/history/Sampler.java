package facet.doors.history;

import facet.log.Log;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;

/** Takes a sample every second, on a thread of its own. */
public final class Sampler implements AutoCloseable {
    private static final int STACK_BYTES = 256 << 10;

    private final History history;
    private final Runnable more;
    private final Log log;
    private final Thread thread;
    private volatile boolean closed;

    private Sampler(History history, Runnable more, Log log) {
        this.history = history;
        this.more = more;
        this.log = log.limited();
        thread =
                Thread.ofPlatform()
                        .name("facet-history")
                        .stackSize(STACK_BYTES)
                        .daemon()
                        .unstarted(this::run);
    }

    /**
     * @param more what else is to be done every second
     */
    public static Sampler start(History history, Runnable more, Log log) {
        Sampler sampler = new Sampler(history, more, log);
        sampler.thread.start();
        return sampler;
    }

    private void run() {
        long next = history.nextNanos(System.nanoTime());
        while (!closed) {
            long now = System.nanoTime();
            if (now - next < 0) {
                LockSupport.parkNanos(this, next - now);
                continue;
            }
            try {
                history.sample(now, Instant.now());
                more.run();
            } catch (RuntimeException e) {
                // A defect costs a sample, not all that follow.
                log.error("history", "a sample failed: " + e);
            }
            next = history.nextNanos(System.nanoTime());
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
