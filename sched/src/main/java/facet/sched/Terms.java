package facet.sched;

import java.time.Duration;
import java.time.Instant;

/**
 * What a slice was promised of its devices' time.
 *
 * @param compute percent of a device; 0: no promise, only what others leave
 * @param priority 0 to 100. With {@link Policy#PRIORITY} the order in which slices run: from 1 on
 *     before all that have a share, 0 behind them. Memory of lower ones moves out first, whatever
 *     the policy.
 * @param turn length of a turn ({@link Policy#TIME_SLICE})
 * @param calendar shares by time ({@link Policy#TIDAL}); {@code compute} holds outside of it
 * @param multiprocessors most that its kernels may use at once; 0: all
 */
public record Terms(
        Policy policy,
        int compute,
        int priority,
        Duration turn,
        Calendar calendar,
        int multiprocessors) {

    public static final int HIGHEST_PRIORITY = 100;
    public static final Duration DEFAULT_TURN = Duration.ofMillis(20);
    private static final Duration SHORTEST_TURN = Duration.ofMillis(1);
    private static final Duration LONGEST_TURN = Duration.ofSeconds(10);

    /** No promise: what others leave. */
    public static final Terms REST = new Terms(Policy.BURST, 0, 0, DEFAULT_TURN, Calendar.EMPTY, 0);

    public Terms {
        if (compute < 0 || compute > 100 || compute == 0 && policy == Policy.FIXED) {
            throw new IllegalArgumentException(
                    "compute is 1 to 100 percent of a device, not " + compute);
        }
        if (priority < 0 || priority > HIGHEST_PRIORITY) {
            throw new IllegalArgumentException(
                    "priority is 0 to " + HIGHEST_PRIORITY + ", not " + priority);
        }
        if (turn.compareTo(SHORTEST_TURN) < 0 || turn.compareTo(LONGEST_TURN) > 0) {
            throw new IllegalArgumentException(
                    "a turn lasts 1 ms to 10 s, not " + turn.toMillis() + " ms");
        }
        if (multiprocessors < 0) {
            throw new IllegalArgumentException(multiprocessors + " multiprocessors");
        }
        if (policy == Policy.TIDAL && calendar.entries().isEmpty()) {
            throw new IllegalArgumentException(
                    "a tidal slice needs a calendar, such as 'mon-fri 08:00-20:00 80'");
        }
        if (policy != Policy.TIDAL && !calendar.entries().isEmpty()) {
            throw new IllegalArgumentException(
                    "a calendar is for the policy tidal, not for " + policy.text());
        }
    }

    /** A hard share. */
    public static Terms fixed(int compute) {
        return new Terms(Policy.FIXED, compute, 0, DEFAULT_TURN, Calendar.EMPTY, 0);
    }

    public static Terms burst(int compute) {
        return new Terms(Policy.BURST, compute, 0, DEFAULT_TURN, Calendar.EMPTY, 0);
    }

    public static Terms priority(int priority) {
        return new Terms(Policy.PRIORITY, 0, priority, DEFAULT_TURN, Calendar.EMPTY, 0);
    }

    public static Terms turns(Duration turn) {
        return new Terms(Policy.TIME_SLICE, 0, 0, turn, Calendar.EMPTY, 0);
    }

    /** Percent that is promised at a moment. */
    public int promised(Instant now) {
        return switch (policy) {
            case FIXED, BURST, TIME_SLICE -> compute;
            case PRIORITY -> 0;
            case TIDAL -> calendar.at(now).orElse(compute);
        };
    }

    /** Percent beyond which it never gets. */
    public int most() {
        boolean hard = policy == Policy.FIXED || policy == Policy.PRIORITY && compute > 0;
        return hard ? compute : 100;
    }

    public Entitlement at(Instant now) {
        double guarantee = promised(now) / 100.0;
        int seats = multiprocessors == 0 ? Integer.MAX_VALUE : multiprocessors;
        return switch (policy) {
            case FIXED -> new Entitlement(Entitlement.BY_SHARE, guarantee, guarantee, 0, seats);
            case BURST, TIDAL -> new Entitlement(Entitlement.BY_SHARE, guarantee, 1, 0, seats);
            case TIME_SLICE ->
                    new Entitlement(Entitlement.BY_SHARE, guarantee, 1, turn.toNanos(), seats);
            case PRIORITY ->
                    new Entitlement(
                            priority == 0 ? Entitlement.BACKGROUND : priority,
                            0,
                            most() / 100.0,
                            0,
                            seats);
        };
    }
}
