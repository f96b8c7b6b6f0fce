package facet.node.server;

import facet.log.Log;
import facet.log.Who;
import facet.os.Uninterrupted;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The end of a slice. It takes as long as its work takes to stop, so it has a thread of its own and
 * nobody has to wait for it.
 */
public final class Ending {
    private final CountDownLatch over = new CountDownLatch(1);

    Ending() {}

    /** Once. */
    void begin(String slice, Log log, Runnable work) {
        Thread.ofVirtual()
                .name("facet-ending-" + slice)
                .start(() -> {
                    try {
                        work.run();
                    } catch (RuntimeException e) {
                        log.error(Who.slice(slice), "its end failed: " + e);
                    } finally {
                        over.countDown();
                    }
                });
    }

    /** Whether it is over, now or after so long. */
    public boolean await(Duration patience) {
        try {
            return over.await(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return over.getCount() == 0;
        }
    }

    void await() {
        Uninterrupted.await(over);
    }
}
