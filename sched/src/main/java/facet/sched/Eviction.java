package facet.sched;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Which allocations leave a device when others need the room. Those of idle owners go first: lower
 * priority before higher, then what was used longest ago. Memory of an owner that works is taken
 * only when it had its time on the device. So owners that together need more than there is take
 * turns, and a turn is long against the moves that it costs.
 *
 * <p>All times are nanoseconds of one clock.
 */
public final class Eviction {
    /** For so long an owner that works keeps what was brought back for it. */
    public static final long LEAST_STAY = 500_000_000;

    /** A stay is so many times as long as the move that led to it. */
    public static final long STAY_PER_MOVE = 10;

    /** Who has used nothing for so long is idle. A program pauses between two launches. */
    public static final long IDLE_AFTER = 100_000_000;

    private Eviction() {}

    /**
     * Whose memory it is.
     *
     * @param working whether work of it is under way
     * @param lastUse when it last began something
     * @param since when it got its memory, or got it back
     * @param moveNanos how long the last move of its memory took
     */
    public record Owner(int priority, boolean working, long lastUse, long since, long moveNanos) {
        /** From when on its memory may be taken. */
        long movableFrom() {
            long stay = since + Math.max(LEAST_STAY, STAY_PER_MOVE * moveNanos);
            long idle = lastUse + IDLE_AFTER;
            return working || stay - idle < 0 ? stay : idle;
        }

        boolean isIdle(long now) {
            return !working && now - lastUse >= IDLE_AFTER;
        }

        public boolean isMovable(long now) {
            return now - movableFrom() >= 0;
        }
    }

    /**
     * An allocation that is on the device.
     *
     * @param what for the caller
     */
    public record Candidate<T>(T what, Owner owner, long bytes, long lastUse) {}

    /** What is to be done. */
    public sealed interface Decision<T> {
        /** These leave. */
        record Move<T>(List<T> all) implements Decision<T> {
            public Move {
                all = List.copyOf(all);
            }
        }

        /** Nothing may leave yet; ask again at this time, or when something has changed. */
        record Wait<T>(long until) implements Decision<T> {}

        /** All of them would not be enough. */
        record Never<T>() implements Decision<T> {}
    }

    /**
     * @param needed bytes, more than 0
     */
    public static <T> Decision<T> decide(List<Candidate<T>> all, long needed, long now) {
        if (sum(all) < needed) {
            return new Decision.Never<>();
        }
        List<Candidate<T>> movable = new ArrayList<>();
        for (Candidate<T> each : all) {
            if (each.owner.isMovable(now)) {
                movable.add(each);
            }
        }
        if (sum(movable) < needed) {
            return new Decision.Wait<>(whenEnough(all, needed, now));
        }
        movable.sort(
                Comparator.<Candidate<T>, Boolean>comparing(each -> !each.owner.isIdle(now))
                        .thenComparing(each -> each.owner.priority())
                        .thenComparing(each -> each.lastUse - now));
        return new Decision.Move<>(enough(movable, needed));
    }

    private static <T> long sum(List<Candidate<T>> all) {
        return all.stream().mapToLong(Candidate::bytes).sum();
    }

    /** The first ones, without those that turn out not to be needed; who would go last stays. */
    private static <T> List<T> enough(List<Candidate<T>> inOrder, long needed) {
        List<Candidate<T>> chosen = new ArrayList<>();
        long bytes = 0;
        for (int i = 0; bytes < needed; i++) {
            chosen.add(inOrder.get(i));
            bytes += inOrder.get(i).bytes;
        }
        for (int i = chosen.size() - 1; i >= 0; i--) {
            if (bytes - chosen.get(i).bytes >= needed) {
                bytes -= chosen.remove(i).bytes;
            }
        }
        return chosen.stream().map(Candidate::what).toList();
    }

    private static <T> long whenEnough(List<Candidate<T>> all, long needed, long now) {
        List<Candidate<T>> byTime = new ArrayList<>(all);
        byTime.sort(Comparator.comparing(each -> each.owner.movableFrom() - now));
        long bytes = 0;
        for (Candidate<T> each : byTime) {
            bytes += each.bytes;
            if (bytes >= needed) {
                return each.owner.movableFrom();
            }
        }
        throw new IllegalArgumentException(needed + " bytes needed, " + bytes + " are there");
    }
}
