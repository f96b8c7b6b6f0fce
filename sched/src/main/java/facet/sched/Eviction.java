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
 *
 * @param leastStay for so long an owner that works keeps what was brought back for it
 * @param stayPerMove a stay is so many times as long as the move that led to it
 * @param idleAfter who has used nothing for so long is idle: a program pauses between two launches
 */
public record Eviction(long leastStay, long stayPerMove, long idleAfter) {
    public static final Eviction STANDARD = new Eviction(500_000_000, 10, 100_000_000);

    /**
     * Whose memory it is.
     *
     * @param working whether work of it is under way
     * @param lastUse when it last began something
     * @param since when it got its memory, or got it back
     * @param moveNanos how long the last move of its memory took
     */
    public record Owner(int priority, boolean working, long lastUse, long since, long moveNanos) {}

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

    /** From when on an owner's memory may be taken. */
    private long movableFrom(Owner owner) {
        long stay = owner.since + Math.max(leastStay, stayPerMove * owner.moveNanos);
        long idle = owner.lastUse + idleAfter;
        return owner.working || stay - idle < 0 ? stay : idle;
    }

    private boolean isIdle(Owner owner, long now) {
        return !owner.working && now - owner.lastUse >= idleAfter;
    }

    public boolean isMovable(Owner owner, long now) {
        return now - movableFrom(owner) >= 0;
    }

    /**
     * @param needed bytes, more than 0
     */
    public <T> Decision<T> decide(List<Candidate<T>> all, long needed, long now) {
        if (sum(all) < needed) {
            return new Decision.Never<>();
        }
        List<Candidate<T>> movable = new ArrayList<>();
        for (Candidate<T> each : all) {
            if (isMovable(each.owner, now)) {
                movable.add(each);
            }
        }
        if (sum(movable) < needed) {
            return new Decision.Wait<>(whenEnough(all, needed, now));
        }
        movable.sort(
                Comparator.<Candidate<T>, Boolean>comparing(each -> !isIdle(each.owner, now))
                        .thenComparingInt(each -> each.owner.priority())
                        .thenComparingLong(each -> each.lastUse - now));
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

    private <T> long whenEnough(List<Candidate<T>> all, long needed, long now) {
        List<Candidate<T>> byTime = new ArrayList<>(all);
        byTime.sort(Comparator.comparingLong(each -> movableFrom(each.owner) - now));
        long bytes = 0;
        for (Candidate<T> each : byTime) {
            bytes += each.bytes;
            if (bytes >= needed) {
                return movableFrom(each.owner);
            }
        }
        throw new IllegalArgumentException(needed + " bytes needed, " + bytes + " are there");
    }
}
