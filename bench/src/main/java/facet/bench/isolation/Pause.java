package facet.bench.isolation;

import java.util.concurrent.TimeUnit;

/** Waiting for a moment of {@link System#nanoTime}. */
final class Pause {
    private Pause() {}

    static void until(long time) throws InterruptedException {
        long left = time - System.nanoTime();
        if (left > 0) {
            TimeUnit.NANOSECONDS.sleep(left);
        }
    }
}
