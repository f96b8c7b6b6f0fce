package facet.node;

import facet.doors.control.Change;
import facet.doors.control.ControlException;
import facet.log.Log;
import facet.node.server.Ending;
import facet.node.server.SliceMoved;
import facet.node.server.SliceServer;
import facet.slices.Placement;
import facet.slices.Setting;
import facet.slices.Settings;
import facet.slices.Slice;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * From the slices that are kept to those that shall be; planned as a whole before any is touched.
 */
final class Step {
    private final NodeSlices slices;
    private final List<Change> changes = new ArrayList<>();
    private final Map<String, Slice> made = new LinkedHashMap<>();
    private final Map<String, Slice> changed = new LinkedHashMap<>();
    private final Map<String, Slice> moved = new LinkedHashMap<>();
    private final Map<String, Slice> before = new HashMap<>();
    private final Map<String, String> placements = new HashMap<>();
    private final List<String> gone = new ArrayList<>();
    private final Map<String, Ending> endings = new HashMap<>();
    private final List<Undo> undos = new ArrayList<>();

    /** Takes one thing back. */
    private interface Undo {
        void run() throws IOException;
    }

    private Step(NodeSlices slices) {
        this.slices = slices;
    }

    /** Refuses a target that cannot be. */
    static Step between(
            Map<String, Settings> kept,
            Map<String, Settings> target,
            NodeSlices slices,
            boolean force)
            throws ControlException {
        Step step = new Step(slices);
        synchronized (slices) {
            for (String name : kept.keySet()) {
                if (!target.containsKey(name) && name.equals(Slice.DEFAULT)) {
                    // It is always there: without settings it is what it was at first.
                    step.want(name, Settings.NONE, kept);
                } else if (!target.containsKey(name)) {
                    step.gone.add(name);
                }
            }
            for (Map.Entry<String, Settings> each : target.entrySet()) {
                step.want(each.getKey(), each.getValue(), kept);
            }
            step.place();
            for (Map.Entry<String, Settings> each : target.entrySet()) {
                step.record(each.getKey());
            }
            for (String name : kept.keySet()) {
                if (!target.containsKey(name)) {
                    step.drop(name, force);
                }
            }
            step.checkPromises();
        }
        return step;
    }

    List<Change> changes() {
        return List.copyOf(changes);
    }

    private void want(String name, Settings settings, Map<String, Settings> kept)
            throws ControlException {
        Slice wanted;
        try {
            wanted = settings.slice(name, slices.defaults().of(name));
        } catch (IllegalArgumentException e) {
            throw new ControlException(String.valueOf(e.getMessage()), e);
        }
        slices.placer().check(wanted);
        Optional<SliceServer> server = slices.find(name);
        if (server.isEmpty()) {
            made.put(name, wanted);
            return;
        }
        if (server.get().isClosed()) {
            throw new ControlException(
                    "slice '"
                            + name
                            + "' is still being deleted: what ran in it has not stopped yet; try"
                            + " again in a moment, or choose another name");
        }
        Slice now = server.get().slice();
        if (!kept.containsKey(name) && !name.equals(Slice.DEFAULT)) {
            throw new ControlException(
                    "a program of 'facet run' or a container has a slice '"
                            + name
                            + "'; wait for its end, or choose another name");
        }
        boolean moves = slices.placer().moves(now, wanted);
        if (!moves) {
            wanted = slices.placer().stays(now, wanted);
        }
        server.get().checkChange(wanted);
        if (moves) {
            before.put(name, now);
            moved.put(name, wanted);
        } else if (!now.equals(wanted)) {
            before.put(name, now);
            changed.put(name, wanted);
        }
    }

    /**
     * Finds devices for those that are made and those that move: when all others have what they
     * shall have, and those first that name their devices.
     */
    private void place() throws ControlException {
        List<Slice> wanted = new ArrayList<>(made.values());
        wanted.addAll(moved.values());
        wanted.sort(Comparator.comparing((Slice each) -> !each.devices().isChosen()));
        Map<String, Slice> all = new LinkedHashMap<>(changed);
        // Those that move make room first.
        Set<String> away = new HashSet<>(gone);
        away.addAll(moved.keySet());
        for (Slice each : wanted) {
            Placement.Placed placed = slices.placer().place(each, all, away);
            all.put(each.name(), placed.slice());
            away.remove(each.name());
            (made.containsKey(each.name()) ? made : moved).put(each.name(), placed.slice());
            placements.put(each.name(), placed.why());
        }
    }

    private void record(String name) {
        Map<String, Slice> after = new HashMap<>(made);
        after.putAll(changed);
        after.putAll(moved);
        Slice wanted = after.get(name);
        if (wanted == null) {
            changes.add(change(name, Change.Action.UNCHANGED, Map.of(), Map.of()));
            return;
        }
        Slice now = before.get(name);
        Change change =
                now == null
                        ? change(name, Change.Action.CREATED, Map.of(), describe(wanted))
                        : change(name, Change.Action.CHANGED, describe(now), describe(wanted));
        String why = placements.get(name);
        boolean tells = slices.devices() > 1 || wanted.devices().isElsewhere();
        changes.add(why != null && tells ? change.placed(why) : change);
    }

    private Map<Setting, String> describe(Slice slice) {
        return Settings.describe(slice, slices.devices());
    }

    private void drop(String name, boolean force) throws ControlException {
        if (name.equals(Slice.DEFAULT)) {
            record(name);
            return;
        }
        Optional<SliceServer> server = slices.find(name);
        int programs = server.map(SliceServer::programs).orElse(0);
        if (programs > 0 && !force) {
            throw new ControlException(
                    (programs == 1 ? "1 program uses" : programs + " programs use")
                            + " slice '"
                            + name
                            + "'; 'facet ps' lists them. Use --force to end them");
        }
        changes.add(
                change(
                        name,
                        Change.Action.DELETED,
                        server.map(each -> describe(each.slice())).orElse(Map.of()),
                        Map.of()));
    }

    private static Change change(
            String name,
            Change.Action action,
            Map<Setting, String> before,
            Map<Setting, String> after) {
        return Change.of(name, action, before, after);
    }

    private void checkPromises() throws ControlException {
        Map<String, Slice> all = new LinkedHashMap<>(made);
        all.putAll(changed);
        all.putAll(moved);
        slices.placer().checkPromises(all, gone);
    }

    /** Opens, moves and changes; when one fails all is as before. */
    void perform(Log log) throws ControlException {
        List<SliceMoved> left = new ArrayList<>();
        try {
            List<SliceServer> told = new ArrayList<>();
            synchronized (slices) {
                // Programs may have come since it was planned.
                checkPromises();
                for (Slice each : made.values()) {
                    SliceServer server = slices.open(each, Optional.empty());
                    remember(each);
                    undos.addFirst(() -> slices.remove(server.slice().name()));
                }
                for (Slice each : moved.values()) {
                    SliceServer server = there(each);
                    Slice before = server.slice();
                    left.add(slices.move(server, each));
                    remember(each);
                    undos.addFirst(() -> moveBack(server, before));
                }
                for (Slice each : changed.values()) {
                    SliceServer server = there(each);
                    Slice before = server.slice();
                    undos.addFirst(() -> server.change(before));
                    server.promise(each);
                    told.add(server);
                }
            }
            // Another node may be slow to answer, and so may a worker: nobody waits for that.
            for (Slice each : made.values()) {
                settle(each);
            }
            for (Slice each : moved.values()) {
                settle(each);
            }
            for (SliceServer each : told) {
                each.change(each.slice());
            }
        } catch (IOException e) {
            undo(log);
            throw new ControlException("nothing was changed: " + e.getMessage(), e);
        } finally {
            left.forEach(SliceMoved::close);
        }
    }

    private void settle(Slice slice) throws IOException {
        try {
            there(slice).settle();
        } catch (IOException e) {
            throw new RefusedElsewhere(String.valueOf(e.getMessage()), e);
        }
    }

    /** Another node refuses what it seemed to have. */
    static final class RefusedElsewhere extends IOException {
        private static final long serialVersionUID = 1L;

        RefusedElsewhere(String message, IOException cause) {
            super(message, cause);
        }
    }

    private void remember(Slice slice) {
        String why = placements.get(slice.name());
        if (why != null) {
            slices.remember(slice.name(), why);
        }
    }

    private SliceServer there(Slice slice) throws IOException {
        return slices.find(slice.name())
                .orElseThrow(() -> new IOException("the daemon is shutting down"));
    }

    private void moveBack(SliceServer server, Slice before) throws IOException {
        SliceMoved left;
        synchronized (slices) {
            left = slices.move(server, before);
        }
        left.close();
    }

    void undo(Log log) {
        for (Undo each : undos) {
            try {
                each.run();
            } catch (IOException e) {
                log.error("facetd", "a change cannot be taken back: " + e.getMessage());
            }
        }
        undos.clear();
    }

    /** Begins to end those that are no more. */
    void finish() {
        for (String each : gone) {
            slices.find(each)
                    .ifPresentOrElse(
                            server -> endings.put(each, slices.end(server)),
                            () -> slices.unmount(each));
        }
    }

    /** What has happened, a moment later: whether those that are no more have ended. */
    List<Change> outcome() {
        long end = System.nanoTime() + NodeSlices.PATIENCE.toNanos();
        List<Change> outcome = new ArrayList<>();
        for (Change each : changes) {
            Ending ending = endings.get(each.slice());
            Duration left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
            outcome.add(ending == null || ending.await(left) ? each : each.goingOn());
        }
        return outcome;
    }
}
