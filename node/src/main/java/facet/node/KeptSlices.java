package facet.node;

import facet.doors.control.Change;
import facet.doors.control.ControlException;
import facet.doors.control.SliceOperations;
import facet.doors.events.Events;
import facet.doors.events.Kind;
import facet.log.Log;
import facet.node.server.SliceServer;
import facet.slices.Setting;
import facet.slices.Settings;
import facet.slices.Slice;
import facet.slices.document.DocumentException;
import facet.slices.document.Entry;
import facet.slices.document.Nearest;
import facet.slices.document.SliceDocument;
import facet.slices.document.StateFolder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The slices that stay until somebody deletes them, also across a restart. Every change is a step
 * from what was said so far to what is said now: checked as a whole, done, written down. What
 * cannot be written down is undone. Locks: this one, then that of {@link NodeSlices}. Neither is
 * held while a slice ends.
 */
final class KeptSlices implements SliceOperations {
    private final NodeSlices slices;
    private final StateFolder state;
    private final Events events;
    private final Log log;

    /** What was said, in the order in which it came. The default slice is in it once it changed. */
    private volatile Map<String, Settings> kept = Map.of();

    private final WaitingSlices waiting;

    KeptSlices(
            NodeSlices slices, WaitingSlices waiting, StateFolder state, Events events, Log log) {
        this.slices = slices;
        this.waiting = waiting;
        this.events = events;
        this.state = state;
        this.log = log;
    }

    /**
     * Opens the default slice, and those that the daemon before this one had.
     *
     * @param waits whether those that have no device here wait for one of the pool
     */
    synchronized void restore(boolean waits) throws IOException {
        try {
            Map<String, Settings> loaded = new LinkedHashMap<>();
            for (Entry each : state.load().entries()) {
                if (!mayWait(each.settings(), waits)) {
                    Slice _ = resolve(each.name(), each.settings(), each.line());
                }
                loaded.put(each.name(), each.settings());
            }
            kept = loaded;
            synchronized (slices) {
                open(Slice.DEFAULT, kept.getOrDefault(Slice.DEFAULT, Settings.NONE), waits);
                List<Map.Entry<String, Settings>> others = new ArrayList<>(kept.entrySet());
                // Those that name their devices come first: the rest goes where there is room.
                others.sort(
                        Comparator.comparing(
                                each -> !each.getValue().values().containsKey(Setting.DEVICE)));
                for (Map.Entry<String, Settings> each : others) {
                    if (!each.getKey().equals(Slice.DEFAULT)) {
                        open(each.getKey(), each.getValue(), waits);
                    }
                }
                warnOfPromises();
            }
        } catch (DocumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private void open(String name, Settings settings, boolean waits)
            throws IOException, DocumentException {
        try {
            SliceServer _ = slices.open(resolve(name, settings, 0), Optional.empty());
        } catch (DocumentException e) {
            if (!mayWait(settings, waits)) {
                throw e;
            }
            waiting.add(name, settings, String.valueOf(e.getMessage()));
        }
    }

    /** Whether its device may be on a node that is not there yet. */
    private static boolean mayWait(Settings settings, boolean inPool) {
        return inPool
                || settings.values().containsKey(Setting.NODE)
                || settings.values().containsKey(Setting.MODEL);
    }

    /** On the devices that it gets. */
    private Slice resolve(String name, Settings settings, int line) throws DocumentException {
        try {
            Slice slice = settings.slice(name, slices.defaults().of(name));
            slices.placer().check(slice);
            return slices.placer().placeAgain(slice);
        } catch (IllegalArgumentException | ControlException e) {
            throw new DocumentException(
                    state.file() + (line > 0 ? ", line " + line : "") + ": " + e.getMessage());
        }
    }

    /** Clocks that change may bring calendars together that were apart when they were written. */
    private void warnOfPromises() {
        try {
            slices.placer().checkPromises(Map.of(), List.of());
        } catch (ControlException e) {
            log.warning("facetd", String.valueOf(e.getMessage()));
        }
    }

    boolean isKept(String name) {
        return name.equals(Slice.DEFAULT) || kept.containsKey(name);
    }

    // ---- what can be asked

    @Override
    public Change keep(String name, Settings settings) throws ControlException {
        Step step;
        synchronized (this) {
            checkNew(name);
            Map<String, Settings> target = new LinkedHashMap<>(kept);
            target.put(name, settings);
            step = step(target, false, false);
        }
        return only(name, step.outcome());
    }

    private void checkNew(String name) throws ControlException {
        if (slices.find(name).filter(each -> !each.isClosed()).isPresent()) {
            throw new ControlException(
                    "there is a slice '"
                            + name
                            + "' already; change it with 'facet slice set', or choose another"
                            + " name");
        }
    }

    @Override
    public Change change(String name, Settings settings) throws ControlException {
        Step step;
        synchronized (this) {
            checkKept(name);
            Map<String, Settings> target = new LinkedHashMap<>(kept);
            target.put(name, kept.getOrDefault(name, Settings.NONE).changed(settings));
            step = step(target, false, false);
        }
        return only(name, step.outcome());
    }

    @Override
    public Change delete(String name, boolean force) throws ControlException {
        if (name.equals(Slice.DEFAULT)) {
            throw new ControlException(
                    "the default slice cannot be deleted; 'facet slice set default' can make it"
                            + " small");
        }
        Step step;
        synchronized (this) {
            checkKept(name);
            Map<String, Settings> target = new LinkedHashMap<>(kept);
            target.remove(name);
            step = step(target, force, false);
        }
        return only(name, step.outcome());
    }

    @Override
    public List<Change> apply(String document, boolean prune, boolean force, boolean dryRun)
            throws ControlException {
        Map<String, Settings> said = new LinkedHashMap<>();
        try {
            for (Entry each : SliceDocument.parse(document).entries()) {
                said.put(each.name(), each.settings());
            }
        } catch (DocumentException e) {
            throw new ControlException(String.valueOf(e.getMessage()), e);
        }
        Step step;
        synchronized (this) {
            Map<String, Settings> target = new LinkedHashMap<>(prune ? Map.of() : kept);
            target.putAll(said);
            step = step(target, force, dryRun);
        }
        return step.outcome();
    }

    /**
     * A container is about to join it: what it has where nothing was said is what containers have.
     * Refused while programs use it that are hosted otherwise.
     */
    synchronized void letContainerIn(String name) throws ControlException {
        if (slices.defaults().isJoined(name)) {
            return;
        }
        slices.defaults().join(name);
        boolean done = false;
        try {
            Map<String, Settings> target = new LinkedHashMap<>(kept);
            target.putIfAbsent(name, Settings.NONE);
            step(target, false, false);
            done = true;
        } finally {
            if (!done) {
                slices.defaults().part(name);
            }
        }
    }

    private void checkKept(String name) throws ControlException {
        if (isKept(name)) {
            return;
        }
        if (slices.find(name).isPresent()) {
            throw new ControlException(
                    "slice '"
                            + name
                            + "' was made by 'facet run' and goes with its program; only slices"
                            + " made by 'facet slice create' or 'facet apply' can be changed");
        }
        throw new ControlException(
                "there is no slice '"
                        + name
                        + "'"
                        + Nearest.hint(
                                name, kept.keySet(), "'facet slice list' shows what there is"));
    }

    private static Change only(String name, List<Change> changes) {
        return changes.stream()
                .filter(each -> each.slice().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("nothing happened to " + name));
    }

    // ---- from what was said to what is said now

    /** Without those that wait for a device, unless they change: there is nothing to be done. */
    private Map<String, Settings> settled(
            Map<String, Settings> said, Map<String, Settings> others) {
        Map<String, Settings> all = new LinkedHashMap<>(said);
        for (String each : waiting.names()) {
            Settings now = said.get(each);
            if (now != null && now.equals(others.get(each))) {
                all.remove(each);
            }
        }
        return all;
    }

    private Step step(Map<String, Settings> target, boolean force, boolean dryRun)
            throws ControlException {
        Step step = Step.between(settled(kept, target), settled(target, kept), slices, force);
        if (dryRun) {
            return step;
        }
        for (int i = 0; ; i++) {
            try {
                step.perform(log);
                break;
            } catch (ControlException e) {
                // Another node may have room; the one that refused comes behind it.
                if (!(e.getCause() instanceof Step.RefusedElsewhere) || i == NewSlices.MOST_NODES) {
                    throw e;
                }
                try {
                    step =
                            Step.between(
                                    settled(kept, target), settled(target, kept), slices, force);
                } catch (ControlException _) {
                    throw e; // there is no other
                }
            }
        }
        try {
            if (!target.equals(kept)) {
                state.save(target);
            }
        } catch (IOException e) {
            step.undo(log);
            throw new ControlException(
                    "nothing was changed, since it cannot be kept: "
                            + Optional.ofNullable(e.getMessage()).orElse(e.toString())
                            + "; see whether "
                            + state.file().getParent()
                            + " can be written, or choose another --state-dir",
                    e);
        }
        for (String each : waiting.names()) {
            if (!kept.getOrDefault(each, Settings.NONE).equals(target.get(each))) {
                waiting.remove(each);
            }
        }
        kept = target;
        step.finish();
        for (Change each : step.changes()) {
            // Those that came and went have told so themselves.
            if (each.action() == Change.Action.CHANGED) {
                events.add(Kind.SLICE_CHANGED, each.slice(), each.words());
            }
        }
        return step;
    }
}
