package facet.node;

import facet.device.Device;
import facet.doors.control.ControlException;
import facet.sched.Policy;
import facet.sched.Terms;
import facet.slices.Explanation;
import facet.slices.Placement;
import facet.slices.Promises;
import facet.slices.Slice;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Finds devices of this node for slices, and refuses what does not fit beside the others. Whoever
 * asks holds the monitor of {@link NodeSlices}, so that nobody comes in between.
 */
final class SlicePlacer {
    private final List<Long> memories;
    private final boolean sharing;
    private final Supplier<List<Slice>> present;

    /**
     * @param sharing whether slices have shares of the devices' time
     * @param present the slices that are there
     */
    SlicePlacer(List<? extends Device> devices, boolean sharing, Supplier<List<Slice>> present) {
        this.memories = devices.stream().map(each -> each.profile().memory()).toList();
        this.sharing = sharing;
        this.present = present;
    }

    /** Refuses a slice that this node cannot have, whatever else is there. No lock is needed. */
    void check(Slice wanted) throws ControlException {
        Terms terms = wanted.terms();
        boolean promisesNothing = terms.policy() == Policy.BURST && terms.compute() == 0;
        if (!sharing && !(promisesNothing && terms.multiprocessors() == 0)) {
            throw new ControlException(
                    "slice '"
                            + wanted.name()
                            + "': this daemon does not share compute (--no-sharing); start it"
                            + " without that option, or leave out compute and policy");
        }
    }

    /**
     * The devices, with the slices that are on each of them.
     *
     * @param changed slices that are made, or are something else than they were
     * @param gone those that are there no more
     */
    private List<Placement.Room> rooms(Map<String, Slice> changed, Collection<String> gone) {
        Map<String, Slice> all = new LinkedHashMap<>();
        present.get().forEach(each -> all.put(each.name(), each));
        all.putAll(changed);
        all.keySet().removeAll(gone);
        List<Placement.Room> rooms = new ArrayList<>();
        for (int i = 0; i < memories.size(); i++) {
            int device = i;
            rooms.add(
                    new Placement.Room(
                            memories.get(i),
                            all.values().stream()
                                    .filter(each -> each.devices().numbers().contains(device))
                                    .toList()));
        }
        return rooms;
    }

    /** Finds devices for a slice; refuses it with what is missing on which of them. */
    Placement.Placed place(Slice wanted, Map<String, Slice> changed, Collection<String> gone)
            throws ControlException {
        return placed(Placement.of(wanted, rooms(changed, gone), Instant.now()));
    }

    /** Why it would go where it would go, as if it were not there yet. */
    Explanation explain(Slice wanted) {
        return Explanation.of(wanted, rooms(Map.of(), List.of(wanted.name())), Instant.now());
    }

    /** The same for one that was there before this daemon. */
    Slice placeAgain(Slice wanted) throws ControlException {
        List<Placement.Room> rooms = rooms(Map.of(), List.of());
        Placement.Answer answer = Placement.of(wanted, rooms, Instant.now());
        return answer instanceof Placement.Placed fits
                ? fits.slice()
                : placed(Placement.again(wanted, rooms, Instant.now())).slice();
    }

    private static Placement.Placed placed(Placement.Answer answer) throws ControlException {
        return switch (answer) {
            case Placement.Placed placed -> placed;
            case Placement.Refused refused -> throw new ControlException(refused.why());
        };
    }

    /** Whether a slice that is there has to leave its devices; refuses what no device can give. */
    boolean moves(Slice now, Slice wanted) throws ControlException {
        Optional<String> impossible = Placement.impossible(wanted, memories.size());
        if (impossible.isPresent()) {
            throw new ControlException(impossible.get());
        }
        return wanted.devices().isChosen()
                ? !wanted.devices().equals(now.devices())
                : wanted.devices().count() != now.devices().count();
    }

    /** A slice that is there, as it is wanted, on the devices where it is. */
    Slice stays(Slice now, Slice wanted) throws ControlException {
        Slice there = Placement.on(now.devices(), wanted, memories);
        for (int device : there.devices().numbers()) {
            if (there.memory() > memories.get(device) && !wantsAll(wanted)) {
                placed(Placement.again(there, rooms(Map.of(), List.of()), Instant.now()));
            }
        }
        return there;
    }

    private static boolean wantsAll(Slice wanted) {
        return wanted.memory() == Slice.ALL_MEMORY;
    }

    /** Refuses what would promise more than there is. */
    void checkPromises(Map<String, Slice> changed, Collection<String> gone)
            throws ControlException {
        List<Placement.Room> rooms = rooms(changed, gone);
        for (int i = 0; i < rooms.size(); i++) {
            Optional<String> broken =
                    Promises.broken(
                            rooms.get(i).slices(),
                            Instant.now(),
                            rooms.size() == 1 ? "the device" : "device " + i);
            if (broken.isPresent()) {
                throw new ControlException(broken.get());
            }
        }
    }
}
