package facet.os;

import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;

/** Waits that an interrupt does not end; whoever runs next on the thread gets it. */
public final class Uninterrupted {
    private Uninterrupted() {}

    /** A part of a wait. */
    @FunctionalInterface
    public interface Attempt {
        /** Waits for a while; whether the wait is over. */
        boolean ends() throws InterruptedException;
    }

    /** Tries until one ends the wait, or throws something else than that it was interrupted. */
    public static void until(Attempt attempt) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    if (attempt.ends()) {
                        return;
                    }
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Until a notified condition is false; its lock, which the thread holds, guards it. */
    public static void waitWhile(Object lock, BooleanSupplier condition) {
        until(() -> {
            while (condition.getAsBoolean()) {
                lock.wait();
            }
            return true;
        });
    }

    public static void await(CountDownLatch latch) {
        until(() -> {
            latch.await();
            return true;
        });
    }
}
