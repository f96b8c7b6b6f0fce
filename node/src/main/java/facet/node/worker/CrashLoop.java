package facet.node.worker;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;

/**
 * Workers of a slice that have died. A program that kills its worker each time costs the machine no
 * more than some JVMs a minute. No clock inside; the caller's monitor guards it.
 */
final class CrashLoop {
    static final int MOST = 5;
    static final Duration WINDOW = Duration.ofMinutes(1);

    private final ArrayDeque<Long> deaths = new ArrayDeque<>();

    void died(long nanos) {
        deaths.add(nanos);
        if (deaths.size() > MOST) {
            deaths.removeFirst();
        }
    }

    /** How long the slice has to wait for its next worker. */
    Optional<Duration> pause(long nanos) {
        if (deaths.size() < MOST) {
            return Optional.empty();
        }
        long left = deaths.getFirst() + WINDOW.toNanos() - nanos;
        return left > 0 ? Optional.of(Duration.ofNanos(left)) : Optional.empty();
    }
}
