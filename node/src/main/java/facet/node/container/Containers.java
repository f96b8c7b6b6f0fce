package facet.node.container;

import facet.doors.control.Change;
import facet.doors.control.ContainerOperations;
import facet.doors.control.ControlException;
import facet.doors.control.Operations;
import facet.doors.events.Events;
import facet.doors.events.Kind;
import facet.log.Log;
import facet.slices.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The containers that have slices. A slice goes with its container: when that is deleted, or when
 * its first process has ended. Locks: the container's, then that of the slices.
 */
public final class Containers implements ContainerOperations, AutoCloseable {
    private static final int LONGEST_ID = 1024;

    private final ContainerFiles files;
    private final Processes processes;
    private final ContainerSlices slices;
    private final Bounds bounds;
    private final SliceGrants grants;
    private final SliceChanges changes;
    private final Path runtime;
    private final Events events;
    private final Log log;
    private final Map<String, Container> containers = new ConcurrentHashMap<>();

    Containers(
            ContainerFiles files,
            Processes processes,
            ContainerSlices slices,
            Bounds bounds,
            Path runtime,
            Events events,
            Log log) {
        this.files = files;
        this.events = events;
        this.processes = processes;
        this.slices = slices;
        this.bounds = bounds;
        this.grants = new SliceGrants(slices);
        this.changes = new SliceChanges(slices, files);
        this.runtime = runtime;
        this.log = log;
    }

    /**
     * @param runtime folder of the daemon
     */
    public static Containers open(
            ContainerFiles files,
            ContainerSlices slices,
            Bounds bounds,
            Path runtime,
            Events events,
            Log log)
            throws IOException {
        return new Containers(files, SystemProcesses.open(), slices, bounds, runtime, events, log);
    }

    /**
     * Reads a wish of nobody, so that the first container need not wait for classes to be loaded.
     */
    public void warmUp() {
        String config = "{\"process\":{\"env\":[\"FACET_MEMORY=1GiB\",\"FACET_COMPUTE=10\"]}}";
        try {
            ContainerConfig.parse(config)
                    .wish(1)
                    .ifPresent(wish -> wish.settings().slice("warm", new Settings.Whole(1, 1)));
        } catch (ControlException e) {
            throw new IllegalStateException(e);
        }
    }

    // ---- from one daemon to the next

    /** Takes over those that the daemon before this one had and that still live. */
    public void restore() throws IOException {
        for (ContainerRecord each :
                files.load((file, why) ->
                        log.error("containers", file + " is left out: " + why.getMessage()))) {
            Container container = new Container(each.id());
            containers.put(each.id(), container);
            synchronized (container) {
                restore(container, each);
            }
        }
    }

    private void restore(Container container, ContainerRecord record) throws IOException {
        container.begun(record, null);
        if (!processes.find(record.process().pid()).equals(Optional.of(record.process()))) {
            end(container, "ended while there was no daemon");
            return;
        }
        try {
            container.begun(record, grants.again(record));
        } catch (IOException | ControlException | IllegalArgumentException e) {
            log.error(
                    who(record.id()),
                    "its slice "
                            + record.slice()
                            + " cannot be opened again, and its programs find no device: "
                            + e.getMessage());
        }
        watch(container, record);
    }

    private void watch(Container container, ContainerRecord record) {
        try {
            container.watched(
                    processes.watch(
                            record.process(),
                            () ->
                                    Thread.ofPlatform()
                                            .name("facet-container-end")
                                            .daemon()
                                            .start(() -> end(container, "its process has ended"))));
        } catch (IOException e) {
            end(container, String.valueOf(e.getMessage()));
        }
    }

    // ---- what can be asked

    @Override
    public Configured configureContainer(String config, String hook) throws ControlException {
        ContainerConfig parsed = ContainerConfig.parse(config);
        boolean wanted = parsed.wish(slices.devices()).isPresent();
        if (wanted) {
            parsed.addHook(hook, runtime);
        }
        return new Configured(wanted, parsed.text());
    }

    @Override
    public Optional<Operations.Made> startContainer(
            String id, int pid, String config, Optional<String> kept) throws ControlException {
        if (id.isEmpty() || id.length() > LONGEST_ID) {
            throw new ControlException("a container's id has 1 to " + LONGEST_ID + " characters");
        }
        Optional<Wish> wish;
        try {
            wish = ContainerConfig.parse(config).wish(slices.devices());
        } catch (ControlException e) {
            throw refused(id, e);
        }
        if (wish.isEmpty() && kept.isEmpty()) {
            return Optional.empty();
        }
        Incarnation process =
                processes
                        .find(pid)
                        .orElseThrow(() ->
                                new ControlException(
                                        "container '" + id + "': there is no process " + pid));
        while (true) {
            Container container = containers.computeIfAbsent(id, Container::new);
            synchronized (container) {
                if (container.isGone()) {
                    continue;
                }
                ContainerRecord record = container.record();
                if (record != null && !record.process().equals(process)) {
                    leave(container, record);
                    continue;
                }
                return Optional.of(
                        record != null
                                ? again(container, record)
                                : begin(container, process, wish, kept));
            }
        }
    }

    /** The id is used again: that is fine when the container that had it has ended. */
    private void leave(Container container, ContainerRecord record) throws ControlException {
        int pid = record.process().pid();
        if (processes.find(pid).equals(Optional.of(record.process()))) {
            throw new ControlException(
                    "container '"
                            + record.id()
                            + "' has slice '"
                            + record.slice()
                            + "' already, for its process "
                            + pid);
        }
        end(container, "its process has ended");
    }

    private static Operations.Made again(Container container, ContainerRecord record)
            throws ControlException {
        Operations.Made made = container.made();
        if (made == null) {
            throw new ControlException(
                    "container '"
                            + record.id()
                            + "': its slice '"
                            + record.slice()
                            + "' could not be opened again; see the daemon's log");
        }
        return made;
    }

    private Operations.Made begin(
            Container container, Incarnation process, Optional<Wish> wish, Optional<String> kept)
            throws ControlException {
        boolean begun = false;
        try {
            Settings settings =
                    kept.isPresent()
                            ? Settings.NONE
                            : bounds.grant(
                                    wish.orElseThrow().settings(), slices.wholeOfContainer());
            Operations.Made made =
                    kept.isPresent()
                            ? grants.join(kept.get(), wish)
                            : grants.make(container.id(), settings);
            ContainerRecord record =
                    new ContainerRecord(
                            container.id(),
                            process,
                            made.slice().name(),
                            kept.isPresent(),
                            kept.isPresent() ? settings : grants.granted(settings, made.slice()));
            container.begun(record, made);
            files.save(record);
            watch(container, record);
            if (container.isGone()) {
                throw new ControlException("its process has ended");
            }
            begun = true;
            events.add(
                    Kind.CONTAINER_STARTED,
                    made.slice().name(),
                    who(container.id()) + " " + SliceGrants.described(made.slice(), wish));
            return made;
        } catch (ControlException | IllegalArgumentException e) {
            throw refused(container.id(), e);
        } catch (IOException e) {
            throw refused(container.id(), new IOException("cannot be kept: " + e.getMessage(), e));
        } finally {
            if (!begun) {
                end(container, "is not started");
            }
        }
    }

    private static ControlException refused(String id, Exception why) {
        return new ControlException("container '" + id + "': " + why.getMessage(), why);
    }

    @Override
    public boolean endContainer(String id) {
        Container container = containers.get(id);
        return container != null && end(container, "was deleted");
    }

    /** Leaves nothing of it. */
    private boolean end(Container container, String why) {
        synchronized (container) {
            if (container.isGone()) {
                return false;
            }
            container.end();
            ContainerRecord record = container.record();
            if (record != null) {
                // The file first: a folder without one is removed by the next daemon.
                try {
                    files.delete(record.id());
                } catch (IOException e) {
                    log.error(who(record.id()), "its file cannot be removed: " + e.getMessage());
                }
                removeSlice(record);
                events.add(Kind.CONTAINER_ENDED, record.slice(), who(record.id()) + ": " + why);
            }
            containers.remove(container.id(), container);
            return record != null;
        }
    }

    private void removeSlice(ContainerRecord record) {
        if (!record.joined()) {
            slices.remove(record.slice());
            return;
        }
        boolean others =
                containers.values().stream()
                        .map(Container::record)
                        .anyMatch(each -> !record.equals(each) && isJoined(each, record.slice()));
        if (!others) {
            slices.unmount(record.slice());
        }
    }

    // ---- slices of containers

    /** The container that has a slice for itself. */
    public Optional<String> ofSlice(String slice) {
        return containers.values().stream()
                .filter(each -> isOwner(each.record(), slice))
                .map(Container::id)
                .findFirst();
    }

    private static boolean isOwner(@Nullable ContainerRecord record, String slice) {
        return record != null && !record.joined() && record.slice().equals(slice);
    }

    /** Programs run on; what is not named stays. */
    public Change change(String slice, Settings settings) throws ControlException {
        return changes.perform(owner(slice), slice, settings);
    }

    /**
     * Refuses to delete a kept slice that containers have joined.
     *
     * @param force then it is fine
     */
    public void checkJoined(String slice, boolean force) throws ControlException {
        List<String> ids =
                containers.values().stream()
                        .filter(each -> isJoined(each.record(), slice))
                        .map(Container::id)
                        .toList();
        if (!ids.isEmpty() && !force) {
            throw new ControlException(
                    "slice '"
                            + slice
                            + "' is used by container '"
                            + String.join("', '", ids)
                            + "'. Use --force to take it from them: their programs lose the device");
        }
    }

    private static boolean isJoined(@Nullable ContainerRecord record, String slice) {
        return record != null && record.joined() && record.slice().equals(slice);
    }

    /**
     * @param force otherwise it is refused: the container is still there
     */
    public Change delete(String slice, boolean force) throws ControlException {
        Container container = owner(slice);
        if (!force) {
            throw new ControlException(
                    "slice '"
                            + slice
                            + "' is that of container '"
                            + container.id()
                            + "' and goes with it. Use --force to take it from the container: its"
                            + " programs lose the device");
        }
        Operations.Made made;
        synchronized (container) {
            made = container.made();
            end(container, "lost its slice: it was deleted");
        }
        return Change.of(
                slice,
                Change.Action.DELETED,
                made == null ? Map.of() : Settings.describe(made.slice(), slices.devices()),
                Map.of());
    }

    private Container owner(String slice) throws ControlException {
        Container container = ofSlice(slice).map(containers::get).orElse(null);
        if (container == null) {
            throw new ControlException("the container of slice '" + slice + "' has ended");
        }
        return container;
    }

    private static String who(String id) {
        return "container " + (id.length() > 64 ? id.substring(0, 64) + "…" : id);
    }

    /** Containers live on; their slices wait for the next daemon. */
    @Override
    public void close() {
        processes.close();
    }
}
