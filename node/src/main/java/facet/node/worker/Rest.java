package facet.node.worker;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * What a worker does when its last session has ended: gives memory back to the system. The next
 * program of the slice may come at once, so it waits for a moment first.
 */
final class Rest {
    private static final long GARBAGE_MILLIS = TimeUnit.SECONDS.toMillis(1);

    /**
     * What was compiled is kept for longer: the same programs come again. By itself a worker does
     * not stay for so long without a program; those that are told to are to be small.
     */
    private static final long CODE_MILLIS = TimeUnit.SECONDS.toMillis(60);

    private final BooleanSupplier isIdle;
    private final Runnable dropCode;
    private long ends;

    /**
     * @param dropCode lets go of what was compiled
     */
    Rest(BooleanSupplier isIdle, Runnable dropCode) {
        this.isIdle = isIdle;
        this.dropCode = dropCode;
        Thread.ofPlatform().name("facet-rest").daemon().start(this::run);
    }

    /** A session has ended. */
    synchronized void sessionEnded() {
        ends++;
        notifyAll();
    }

    private void run() {
        long seen = 0;
        try {
            while (true) {
                seen = awaitEnd(seen);
                if (restsFor(GARBAGE_MILLIS, seen)) {
                    System.gc();
                    if (restsFor(CODE_MILLIS, seen)) {
                        dropCode.run();
                        System.gc();
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized long awaitEnd(long seen) throws InterruptedException {
        while (ends == seen) {
            wait();
        }
        return ends;
    }

    /** Whether there was no session in the meantime. */
    private synchronized boolean restsFor(long millis, long seen) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        long left = millis;
        while (ends == seen && isIdle.getAsBoolean() && left > 0) {
            wait(left);
            left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        }
        return ends == seen && isIdle.getAsBoolean();
    }
}
