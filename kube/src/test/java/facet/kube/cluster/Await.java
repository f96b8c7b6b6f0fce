package facet.kube.cluster;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Waits for something that will be; how long is a matter of how busy the machine is. */
public final class Await {
    private static final Duration LONGEST = Duration.ofMinutes(8);
    private static final long PAUSE_MILLIS = 50;

    private Await() {}

    /** May fail while it is not yet there. */
    public interface Condition {
        boolean holds() throws Exception;
    }

    public static void until(String what, Condition condition) throws InterruptedException {
        until(what, condition, () -> "");
    }

    /**
     * @param detail told when it does not come
     */
    public static void until(String what, Condition condition, Supplier<String> detail)
            throws InterruptedException {
        long end = System.nanoTime() + LONGEST.toNanos();
        Exception last = null;
        while (System.nanoTime() < end) {
            try {
                if (condition.holds()) {
                    return;
                }
                last = null;
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception e) {
                last = e;
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
        throw new AssertionError("it does not come: " + what + "\n" + detail.get(), last);
    }
}
