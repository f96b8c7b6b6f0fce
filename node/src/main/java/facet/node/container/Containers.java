package facet.node.container;

import facet.doors.control.Change;
import facet.doors.control.ContainerOperations;
import facet.doors.control.ControlException;
import facet.doors.control.Operations;
import facet.doors.control.PodOperations.PodContainer;
import facet.doors.events.Events;
import facet.log.Log;
import facet.slices.Engine;
import facet.slices.Setting;
import facet.slices.Settings;
import facet.slices.Slice;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What can be asked about containers and their slices. A slice goes with its container: when that
 * is deleted, or when its first process has ended. Locks: the container's, then that of the slices.
 */
public final class Containers implements ContainerOperations, AutoCloseable {
    /** Less than what a kubelet waits for a container. */
    private static final Duration POD_PATIENCE = Duration.ofSeconds(45);

    private final Processes processes;
    private final ContainerSlices slices;
    private final KnownContainers known;
    private final ContainerStarts starts;
    private final SliceChanges changes;
    private final Bounds bounds;
    private final DirectContainers direct;
    private final Path runtime;
    private final PodPlacements pods;
    private final ContainerRequest.Reader requests;

    Containers(
            ContainerFiles files,
            Processes processes,
            ContainerSlices slices,
            Bounds bounds,
            Path runtime,
            Duration patience,
            Events events,
            Log log) {
        this.processes = processes;
        this.slices = slices;
        this.runtime = runtime;
        this.bounds = bounds;
        SliceGrants grants = new SliceGrants(slices);
        known = new KnownContainers(files, processes, slices, grants, events, log);
        pods = new PodPlacements(runtime.resolve("pods.json"));
        requests = new ContainerRequest.Reader(pods, slices, patience);
        direct = new DirectContainers(slices, bounds);
        starts =
                new ContainerStarts(
                        known, processes, slices, requests, bounds, grants, direct, events);
        changes = new SliceChanges(slices, grants, files);
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
        return new Containers(
                files, SystemProcesses.open(), slices, bounds, runtime, POD_PATIENCE, events, log);
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

    /** Takes over those that the daemon before this one had and that still live. */
    public void restore() throws IOException {
        pods.restore();
        known.restore();
    }

    // ---- containers that come and go

    @Override
    public Configured configureContainer(String config, String hook) throws ControlException {
        ContainerConfig parsed = ContainerConfig.parse(config);
        boolean wanted = requests.isPossible(parsed);
        if (wanted) {
            Optional<Wish> own = requests.ownWish(parsed);
            Optional<List<DeviceFile>> files =
                    own.isPresent() ? direct.files(own.get().settings()) : Optional.empty();
            if (files.isPresent()) {
                parsed.addDevices(files.get());
            }
            parsed.addHook(hook, runtime);
        }
        return new Configured(wanted, parsed.text());
    }

    @Override
    public Optional<DirectFiles> directFiles(Slice slice) throws ControlException {
        if (slice.driving().engine() != Engine.DIRECT) {
            return Optional.empty();
        }
        VendorPlaces vendor = direct.vendor();
        return Optional.of(
                new DirectFiles(
                        vendor.root(),
                        vendor.libraries(),
                        vendor.files(slice.devices().numbers()).stream()
                                .map(DeviceFile::path)
                                .toList()));
    }

    @Override
    public Map<String, String> deviceFiles(int device) throws ControlException {
        Map<Setting, String> wish =
                Map.of(Setting.ENGINE, "direct", Setting.DEVICE, Integer.toString(device));
        Map<String, String> files = new LinkedHashMap<>();
        direct.files(new Settings(wish))
                .orElseThrow()
                .forEach(each -> files.put(each.host().toString(), each.path()));
        return files;
    }

    @Override
    public Optional<Operations.Made> startContainer(
            String id, int pid, String config, Optional<String> kept) throws ControlException {
        return starts.start(id, pid, config, kept);
    }

    @Override
    public boolean endContainer(String id) {
        return known.find(id).filter(each -> known.end(each, "was deleted")).isPresent();
    }

    // ---- containers of pods

    /** What a cluster has placed here. */
    public PodPlacements pods() {
        return pods;
    }

    /** For the next container, and for the one that runs. */
    public Change place(PodContainer which, String name, Settings settings)
            throws ControlException {
        PodPlacement placement = PodPlacement.of(which, name, settings);
        bounds.grant(settings, slices.wholeOfContainer());
        if (pods.find(which).equals(Optional.of(placement))) {
            // Who has changed the slice of one that runs since then is not overruled.
            return new Change(placement.sliceName(), Change.Action.UNCHANGED, List.of());
        }
        Optional<Container> runs = known.find(which);
        ContainerRecord record = runs.map(Container::record).orElse(null);
        Change change =
                record != null && known.lives(record)
                        ? changes.perform(runs.orElseThrow(), record.slice(), settings)
                        : new Change(placement.sliceName(), Change.Action.CREATED, List.of());
        pods.put(placement);
        return change;
    }

    /** What is placed, with the slices of those that run. */
    public List<Map<String, Object>> podRows() {
        return pods.all().stream()
                .map(each -> {
                    Map<String, Object> row = each.row();
                    known.find(each.which())
                            .map(Container::record)
                            .ifPresent(record -> row.put("slice", record.slice()));
                    return row;
                })
                .toList();
    }

    // ---- slices of containers

    /** The container that has a slice for itself. */
    public Optional<String> ofSlice(String slice) {
        return findOwner(slice).map(Container::id);
    }

    private Optional<Container> findOwner(String slice) {
        return known.find(record -> record.owns(slice)).stream().findFirst();
    }

    private Container owner(String slice) throws ControlException {
        return findOwner(slice)
                .orElseThrow(() ->
                        new ControlException("the container of slice '" + slice + "' has ended"));
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
                known.find(record -> record.hasJoined(slice)).stream().map(Container::id).toList();
        if (!ids.isEmpty() && !force) {
            throw new ControlException(
                    "slice '"
                            + slice
                            + "' is used by container '"
                            + String.join("', '", ids)
                            + "'. Use --force to take it from them: their programs lose the device");
        }
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
            known.end(container, "lost its slice: it was deleted");
        }
        return Change.of(
                slice,
                Change.Action.DELETED,
                made == null ? Map.of() : Settings.describe(made.slice(), slices.devices()),
                Map.of());
    }

    /** Containers live on; their slices wait for the next daemon. */
    @Override
    public void close() {
        processes.close();
    }
}
