package facet.node;

import facet.device.Device;
import facet.doors.events.Events;
import facet.doors.events.Kind;
import facet.doors.history.Sampled;
import facet.doors.history.Source;
import facet.log.Log;
import facet.log.Who;
import facet.node.pool.Pool;
import facet.node.server.Ending;
import facet.node.server.HostPlace;
import facet.node.server.SliceMoved;
import facet.node.server.SliceServer;
import facet.node.slice.SliceFolder;
import facet.node.slice.SliceFolders;
import facet.slices.Settings;
import facet.slices.Slice;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The slices that are open on this node. {@link NewSlices} opens those of programs and containers,
 * {@link KeptSlices} the ones that stay. Its monitor is never held while a slice ends.
 */
final class NodeSlices implements AutoCloseable {
    /** How long somebody who ends a slice waits for what runs in it. */
    static final Duration PATIENCE = Duration.ofSeconds(1);

    /** How long somebody who wants figures waits for those that workers have. */
    private static final Duration ANSWERS = Duration.ofSeconds(1);

    private final List<? extends Device> devices;
    private final SliceFolders folders;
    private final SliceDefaults defaults;
    private final SlicePlacer placer;
    private final Pool pool;
    private final SliceServer.Places places;
    private final Events events;
    private final Log log;
    private final Map<String, SliceServer> servers = new LinkedHashMap<>();

    /** Slices of programs, which go when the program does, and who asked for each. */
    private final Map<String, String> passing = new LinkedHashMap<>();

    /** Why slices are on their devices, in the words of when they came there. */
    private final Map<String, String> reasons = new LinkedHashMap<>();

    /** Device time of slices that are gone from a device, by device. */
    private final long[] endedNanos;

    private final UnsupportedRows unsupported = new UnsupportedRows();

    private boolean closed;

    /**
     * @param sharing whether slices have shares of the devices' time
     * @param pool of which slices may have devices
     */
    NodeSlices(
            List<? extends Device> devices,
            SliceFolders folders,
            SliceDefaults defaults,
            boolean sharing,
            Pool pool,
            SliceServer.Places places,
            Events events,
            Log log) {
        this.devices = List.copyOf(devices);
        this.endedNanos = new long[devices.size()];
        this.folders = folders;
        this.defaults = defaults;
        this.placer = new SlicePlacer(devices, sharing, pool, this::present);
        this.pool = pool;
        this.places = places;
        this.events = events;
        this.log = log;
    }

    /** How many devices the node has. */
    int devices() {
        return devices.size();
    }

    SliceFolders folders() {
        return folders;
    }

    SliceDefaults defaults() {
        return defaults;
    }

    SlicePlacer placer() {
        return placer;
    }

    // ---- who comes

    /**
     * On devices that were found for it. The monitor is held.
     *
     * @param user who has started the program that it goes with; empty: it goes with no program
     */
    SliceServer open(Slice slice, Optional<String> user) throws IOException {
        if (closed) {
            throw new IOException("the daemon is shutting down");
        }
        // Before it is opened: its place may ask.
        user.ifPresent(each -> passing.put(slice.name(), each));
        boolean opened = false;
        try {
            SliceFolder folder = folders.open(slice.name());
            try {
                SliceServer server =
                        SliceServer.open(slice, visible(slice), folder, places, events, log);
                servers.put(slice.name(), server);
                opened = true;
                events.add(Kind.SLICE_CREATED, slice.name(), words(slice));
                return server;
            } finally {
                if (!opened) {
                    folders.giveBack(folder);
                }
            }
        } finally {
            if (!opened) {
                passing.remove(slice.name());
            }
        }
    }

    /** Remembers why a slice is on its devices, as long as it is there. The monitor is held. */
    void remember(String name, String why) {
        if (servers.containsKey(name)) {
            reasons.put(name, why);
        }
    }

    /** Why it is on its devices; empty for one that was there before this daemon. */
    synchronized Optional<String> reason(String name) {
        return Optional.ofNullable(reasons.get(name));
    }

    private List<Device> visible(Slice slice) throws IOException {
        if (slice.devices().isElsewhere()) {
            return pool.devices(slice.devices());
        }
        return slice.devices().numbers().stream().<Device>map(devices::get).toList();
    }

    /**
     * Moves a slice to devices that were found for it; nobody uses it. The monitor is held.
     *
     * @return what it had where it was; to be closed when the monitor is not held
     */
    SliceMoved move(SliceServer server, Slice wanted) throws IOException {
        SliceMoved moved = server.move(wanted, visible(wanted));
        reasons.remove(wanted.name());
        ended(moved.sampled());
        return moved;
    }

    /** memory 4GiB, policy fixed, compute 30%. */
    private String words(Slice slice) {
        List<String> words = new ArrayList<>();
        Settings.describe(slice, devices.size())
                .forEach((key, value) -> words.add(key.key() + " " + value));
        return String.join(", ", words);
    }

    // ---- who is there

    synchronized Optional<SliceServer> find(String name) {
        return Optional.ofNullable(servers.get(name));
    }

    synchronized List<SliceServer> all() {
        return List.copyOf(servers.values());
    }

    /** Those that have not begun to end. */
    private synchronized List<Slice> present() {
        return servers.values().stream()
                .filter(each -> !each.isClosed())
                .map(SliceServer::slice)
                .toList();
    }

    /** Who has started the program that a slice goes with; empty for all other slices. */
    synchronized Optional<String> user(String slice) {
        return Optional.ofNullable(passing.get(slice));
    }

    /** The slices, and what those had that are gone. */
    synchronized Source.Now now() {
        return new Source.Now(
                servers.values().stream().map(SliceServer::sampled).toList(), endedNanos.clone());
    }

    /** Device time that was used on a device, in all. */
    long deviceNanos(int device) {
        Source.Now now = now();
        long sum = now.endedNanos()[device];
        for (Sampled each : now.slices()) {
            int index = each.devices().indexOf(device);
            sum += index < 0 ? 0 : each.deviceNanos(index);
        }
        return sum;
    }

    /**
     * All slices, with figures of now. Workers are asked for them, all at once: however many do not
     * answer, that takes no longer. No lock is held.
     */
    List<SliceServer> refreshed() {
        List<SliceServer> current = all();
        List<HostPlace.Asked> asked = current.stream().map(SliceServer::ask).toList();
        long until = System.nanoTime() + ANSWERS.toNanos();
        asked.forEach(each -> each.await(until));
        return current;
    }

    /** What programs asked for and did not get; also of slices that are gone. */
    List<Map<String, Object>> unsupported() {
        List<SliceServer> _ = refreshed();
        synchronized (this) {
            // A slice that ends is among these or among those, not in both.
            return unsupported.of(List.copyOf(servers.values()));
        }
    }

    // ---- who goes

    /**
     * Ends a slice, and waits a moment for that; what takes longer goes on in the background. Its
     * name is taken as long as its folder is there.
     */
    void remove(String name) {
        Optional<SliceServer> server = find(name);
        if (server.isEmpty()) {
            unmount(name);
        } else {
            boolean _ = end(server.get()).await(PATIENCE);
        }
    }

    /** Begins to end a slice, without a wait. Any lock may be held. */
    Ending end(SliceServer server) {
        return server.end(true, () -> gone(server));
    }

    private void gone(SliceServer server) {
        String name = server.slice().name();
        synchronized (this) {
            if (servers.remove(name, server)) {
                passing.remove(name);
                reasons.remove(name);
                boolean _ = folders.unmount(name);
                defaults.part(name);
                ended(server.sampled());
                unsupported.ended(server);
            }
            notifyAll();
        }
        events.add(Kind.SLICE_DELETED, name, "removed");
    }

    /** In one step with its going: whoever sums up sees it here or there, not in neither. */
    private void ended(Sampled gone) {
        for (int i = 0; i < gone.devices().size(); i++) {
            int device = gone.devices().get(i);
            // What was done on another node counts there.
            if (device < endedNanos.length) {
                endedNanos[device] += gone.deviceNanos(i);
            }
        }
    }

    /** No container has it mounted any more: a folder without a slice goes. */
    synchronized void unmount(String name) {
        if (folders.unmount(name) && !servers.containsKey(name)) {
            try {
                folders.delete(name);
            } catch (IOException e) {
                log.error(Who.slice(name), "its folder cannot be removed: " + e.getMessage());
            }
        }
    }

    /**
     * Ends all slices at once. Folders that containers have mounted stay.
     *
     * @return false when some did not end in time
     */
    boolean end(Duration patience) {
        List<Ending> endings = new ArrayList<>();
        synchronized (this) {
            closed = true;
            for (SliceServer each : servers.values()) {
                endings.add(each.end(!folders.isMounted(each.slice().name()), () -> {}));
            }
            servers.clear();
        }
        long end = System.nanoTime() + patience.toNanos();
        boolean all = true;
        for (Ending each : endings) {
            all &= each.await(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
        }
        return all;
    }

    @Override
    public void close() {
        boolean _ = end(PATIENCE);
    }
}
