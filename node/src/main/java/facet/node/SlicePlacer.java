package facet.node;

import facet.device.Device;
import facet.doors.control.ControlException;
import facet.node.pool.Pool;
import facet.sched.Policy;
import facet.sched.Terms;
import facet.slices.Engine;
import facet.slices.Explanation;
import facet.slices.Placement;
import facet.slices.Promises;
import facet.slices.Site;
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
    private final List<String> names;
    private final boolean sharing;
    private final Pool pool;
    private final Supplier<List<Slice>> present;

    /**
     * @param sharing whether slices have shares of the devices' time
     * @param pool where slices go that have no place here
     * @param present the slices that are there
     */
    SlicePlacer(
            List<? extends Device> devices,
            boolean sharing,
            Pool pool,
            Supplier<List<Slice>> present) {
        this.memories = devices.stream().map(each -> each.profile().memory()).toList();
        this.names = devices.stream().map(each -> each.profile().name()).toList();
        this.sharing = sharing;
        this.pool = pool;
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
                                    .filter(each ->
                                            !each.devices().isElsewhere()
                                                    && each.devices().numbers().contains(device))
                                    .toList(),
                            names.get(i)));
        }
        return rooms;
    }

    /** Finds devices for a slice; refuses it with what is missing on which of them. */
    Placement.Placed place(Slice wanted, Map<String, Slice> changed, Collection<String> gone)
            throws ControlException {
        return placed(anywhere(wanted, rooms(changed, gone)));
    }

    /** Here where that is possible, else on another node. */
    private Placement.Answer anywhere(Slice wanted, List<Placement.Room> rooms) {
        if (!pool.isHere(wanted.devices().site())) {
            return pool.place(wanted);
        }
        Placement.Answer here =
                pool.isDraining()
                        ? new Placement.Refused(
                                "this node drains, and takes no new slices; 'facet pool drain --end'"
                                        + " ends that")
                        : Placement.of(wanted, rooms, Instant.now());
        // A number without a node is one of this node's.
        boolean numbered = wanted.devices().isChosen();
        if (!(here instanceof Placement.Refused refused) || numbered || !pool.isJoined()) {
            return here;
        }
        return switch (pool.place(wanted)) {
            case Placement.Placed there ->
                    new Placement.Placed(
                            there.slice(), there.why() + "; not here: " + refused.why());
            case Placement.Refused there ->
                    new Placement.Refused(refused.why() + "; and on other nodes: " + there.why());
        };
    }

    /** Why it would go where it would go, as if it were not there yet. */
    Explanation explain(Slice wanted) {
        return Explanation.of(wanted, rooms(Map.of(), List.of(wanted.name())), Instant.now());
    }

    /** How much of each device is promised. */
    List<Explanation.Row> rests() {
        Slice nothing = new Slice("nothing", 1, 1, Terms.REST);
        return Explanation.of(nothing, rooms(Map.of(), List.of()), Instant.now()).devices();
    }

    /** The same for one that was there before this daemon. */
    Slice placeAgain(Slice wanted) throws ControlException {
        List<Placement.Room> rooms = rooms(Map.of(), List.of());
        if (!pool.isHere(wanted.devices().site())) {
            return placed(pool.place(wanted)).slice();
        }
        Placement.Answer answer = anywhere(wanted, rooms);
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
        Site site = wanted.devices().site();
        boolean elsewhere = now.devices().isElsewhere();
        if (pool.isHere(site) && !elsewhere) {
            Optional<String> impossible = Placement.impossible(wanted, memories.size());
            if (impossible.isPresent()) {
                throw new ControlException(impossible.get());
            }
        }
        String model =
                elsewhere
                        ? pool.model(now.devices())
                        : names.get(now.devices().numbers().getFirst());
        // A node of which nothing is known is no reason to leave it.
        boolean unsuited = !model.isEmpty() && !site.suits(model);
        boolean otherNode =
                site.isNamed()
                        && (elsewhere
                                ? !site.node().equals(now.devices().site().node())
                                : !pool.isHere(site));
        boolean numbered = wanted.devices().isChosen();
        boolean otherNumbers = !wanted.devices().numbers().equals(now.devices().numbers());
        return otherNode
                || unsuited
                || (numbered
                        ? otherNumbers || elsewhere && !site.isNamed()
                        : wanted.devices().count() != now.devices().count());
    }

    /** A slice that is there, as it is wanted, on the devices where it is. */
    Slice stays(Slice now, Slice wanted) throws ControlException {
        if (now.devices().isElsewhere()) {
            if (wanted.driving().engine() == Engine.DIRECT) {
                throw new ControlException(
                        "slice '"
                                + wanted.name()
                                + "' is on another node, and the direct engine needs the device on"
                                + " this one");
            }
            // What that node gives is its own to say.
            Slice there = wanted.withDevices(now.devices());
            return wantsAll(wanted) ? there.withMemory(now.memory()) : there;
        }
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
