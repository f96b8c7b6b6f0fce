package facet.node.worker;

import facet.device.Stall;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Sees whether the vendor's driver still answers in this process. Whoever waits for it is told; a
 * driver that says nothing for very long is given up, and its process with it: the next program
 * gets a fresh one.
 */
final class DriverWatch {
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final Duration TOLD_AFTER = Duration.ofSeconds(5);

    private final Supplier<Optional<Stall>> driver;
    private final Consumer<String> told;
    private final Consumer<String> given;
    private boolean stalled;

    /**
     * @param driver what it has not answered for longest
     * @param told hears what the driver does, and an empty text when that is over
     * @param given ends this process, for the reason that it is given
     */
    DriverWatch(Supplier<Optional<Stall>> driver, Consumer<String> told, Consumer<String> given) {
        this.driver = driver;
        this.told = told;
        this.given = given;
    }

    void start() {
        Thread.ofPlatform()
                .name("facet-driver-watch")
                .daemon()
                .start(() -> {
                    while (true) {
                        look();
                        try {
                            Thread.sleep(LOOK);
                        } catch (InterruptedException e) {
                            return;
                        }
                    }
                });
    }

    /** One look; by one thread. */
    void look() {
        Optional<Stall> found =
                driver.get().filter(each -> each.since().compareTo(TOLD_AFTER) >= 0);
        if (found.isEmpty()) {
            if (stalled) {
                stalled = false;
                told.accept("");
            }
            return;
        }
        Stall stall = found.get();
        String text =
                "does not answer: "
                        + stall.call()
                        + " has taken "
                        + stall.since().toSeconds()
                        + " s";
        if (!stalled) {
            stalled = true;
            told.accept(text + "; it is given up after " + stall.patience().toSeconds() + " s");
        } else if (stall.since().compareTo(stall.patience()) >= 0) {
            given.accept(text + "; it is given up, and the next program gets a fresh one");
        }
    }
}
