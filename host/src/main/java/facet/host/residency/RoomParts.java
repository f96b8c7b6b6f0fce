package facet.host.residency;

import facet.sched.Eviction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What could move out of a process, in few words: neighbours of one context are put together. */
final class RoomParts {
    private RoomParts() {}

    /**
     * @param first who waits for room
     */
    static List<RoomReport.Part> of(
            List<Eviction.Candidate<Leaver>> candidates, Optional<Claimant> first, long now) {
        List<Eviction.Candidate<Leaver>> all = new ArrayList<>(candidates);
        all.sort(
                Comparator.<Eviction.Candidate<Leaver>, Boolean>comparing(
                                each -> each.owner().working())
                        .thenComparingLong(each -> each.owner().lastUse() - now)
                        .thenComparingLong(each -> each.lastUse() - now));
        long enough = all.stream().mapToLong(Eviction.Candidate::bytes).sum() / 32 + 1;
        List<RoomReport.Part> parts = new ArrayList<>();
        Eviction.Owner last = null;
        for (Eviction.Candidate<Leaver> each : all) {
            RoomReport.Part part = part(each, first, now);
            boolean full = parts.isEmpty() || parts.getLast().bytes() >= enough;
            boolean other = !each.owner().equals(last) || full;
            if (other && parts.size() < RoomReport.MOST_PARTS) {
                parts.add(part);
            } else {
                parts.add(together(parts.removeLast(), part));
            }
            last = each.owner();
        }
        return parts;
    }

    private static RoomReport.Part part(
            Eviction.Candidate<Leaver> one, Optional<Claimant> first, long now) {
        return new RoomReport.Part(
                one.bytes(),
                one.owner().working(),
                Math.max(0, now - one.owner().lastUse()),
                Math.max(0, now - one.lastUse()),
                needs(first, one.what()));
    }

    /** Whether it is memory that the one who waits needs. */
    static boolean needs(Optional<Claimant> first, Leaver what) {
        return what instanceof ContextMoves.Group group
                && !group.willing()
                && first.isPresent()
                && first.get() == group.holding();
    }

    /** As if all of it had been used when some was. */
    private static RoomReport.Part together(RoomReport.Part one, RoomReport.Part other) {
        return new RoomReport.Part(
                one.bytes() + other.bytes(),
                one.working() || other.working(),
                Math.min(one.idleNanos(), other.idleNanos()),
                Math.min(one.unusedNanos(), other.unusedNanos()),
                one.waits() || other.waits());
    }
}
