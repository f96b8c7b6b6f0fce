package facet.node;

import facet.device.Device;
import facet.doors.control.ControlException;
import facet.doors.control.Operations;
import facet.doors.events.Events;
import facet.doors.events.Kind;
import facet.doors.history.Sampled;
import facet.doors.history.Source;
import facet.log.Log;
import facet.log.Who;
import facet.node.container.ContainerSlices;
import facet.node.server.Ending;
import facet.node.server.HostPlace;
import facet.node.server.SliceServer;
import facet.node.slice.SliceFolder;
import facet.sched.Policy;
import facet.sched.Terms;
import facet.slices.DeviceSet;
import facet.slices.Isolation;
import facet.slices.Placement;
import facet.slices.Promises;
import facet.slices.Settings;
import facet.slices.Slice;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The slices that are open on this node. Those of programs come and go here; {@link KeptSlices}
 * opens and closes the ones that stay. Its monitor is never held while a slice ends.
 */
final class NodeSlices implements ContainerSlices, AutoCloseable {
    /** How long somebody who ends a slice waits for what runs in it. */
    static final Duration PATIENCE = Duration.ofSeconds(1);

    /** How long somebody who wants figures waits for those that workers have. */
    private static final Duration ANSWERS = Duration.ofSeconds(1);

    /** How long a program's slice may take to go when the program has ended. */
    private static final long GOING_NANOS = 2_000_000_000L;

    /** How long it takes at most to notice that a program has ended. */
    private static final long ENDING_NANOS = 300_000_000L;

    private final List<? extends Device> devices;
    private final Path folder;
    private final boolean sharing;
    private final Isolation isolation;
    private final Isolation ofContainers;
    private final SliceServer.Places places;
    private final Events events;
    private final Log log;
    private final Map<String, SliceServer> servers = new LinkedHashMap<>();

    /** Slices of programs, which go when the program does, and who asked for each. */
    private final Map<String, String> passing = new LinkedHashMap<>();

    /** Device time of slices that are gone, by device. */
    private final long[] endedNanos;

    private final UnsupportedRows unsupported = new UnsupportedRows();

    /** Slices whose folder containers have mounted: it must stay the same one. */
    private final Set<String> mounted = new HashSet<>();

    /** Kept slices that containers have, or once had: what is theirs stays so. */
    private final Set<String> joined = new HashSet<>();

    private boolean closed;

    /**
     * @param folder where each slice has its own
     * @param mounted slices whose folder is there already, since containers have it mounted
     * @param sharing whether slices have shares of the devices' time
     * @param isolation of slices that do not say
     * @param ofContainers the same, of slices that containers have
     */
    NodeSlices(
            List<? extends Device> devices,
            Path folder,
            Set<String> mounted,
            boolean sharing,
            Isolation isolation,
            Isolation ofContainers,
            SliceServer.Places places,
            Events events,
            Log log) {
        this.devices = List.copyOf(devices);
        this.endedNanos = new long[devices.size()];
        this.folder = folder;
        this.mounted.addAll(mounted);
        this.sharing = sharing;
        this.isolation = isolation;
        this.ofContainers = ofContainers;
        this.joined.addAll(mounted);
        this.places = places;
        this.events = events;
        this.log = log;
    }

    /** Bytes that each device has. */
    private List<Long> memories() {
        return devices.stream().map(each -> each.profile().memory()).toList();
    }

    /** What a slice gets that does not say what it wants. */
    synchronized Settings.Whole whole(String name) {
        return new Settings.Whole(
                Slice.ALL_MEMORY,
                name.equals(Slice.DEFAULT) ? devices.size() : 1,
                joined.contains(name) ? ofContainers : isolation);
    }

    @Override
    public Settings.Whole wholeOfContainer() {
        return new Settings.Whole(Slice.ALL_MEMORY, 1, ofContainers);
    }

    synchronized boolean isJoined(String name) {
        return joined.contains(name);
    }

    /** Containers have a slice from now on, or it turned out that they cannot. */
    synchronized void join(String name, boolean can) {
        if (can) {
            joined.add(name);
        } else {
            joined.remove(name);
        }
    }

    /** Refuses a slice that this node cannot have, whatever else is there. */
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

    // ---- on which devices; the monitor is held

    /**
     * The devices, with the slices that are on each of them.
     *
     * @param changed slices that are made, or are something else than they were
     * @param gone those that are there no more
     */
    private List<Placement.Room> rooms(Map<String, Slice> changed, Collection<String> gone) {
        Map<String, Slice> all = new LinkedHashMap<>();
        for (SliceServer each : servers.values()) {
            if (!each.isClosed()) {
                all.put(each.slice().name(), each.slice());
            }
        }
        all.putAll(changed);
        all.keySet().removeAll(gone);
        List<Placement.Room> rooms = new ArrayList<>();
        for (int i = 0; i < devices.size(); i++) {
            int device = i;
            rooms.add(
                    new Placement.Room(
                            memories().get(i),
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

    /** The same for one that was there before this daemon. */
    synchronized Slice placeAgain(Slice wanted) throws ControlException {
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

    /** A slice that is there stays on its devices; refuses what asks for others. */
    Slice stays(Slice now, Slice wanted) throws ControlException {
        Optional<String> impossible = Placement.impossible(wanted, devices.size());
        if (impossible.isPresent()) {
            throw new ControlException(impossible.get());
        }
        boolean same =
                wanted.devices().isChosen()
                        ? wanted.devices().equals(now.devices())
                        : wanted.devices().count() == now.devices().count();
        if (!same) {
            throw new ControlException(
                    "slice '"
                            + now.name()
                            + "' has "
                            + words(now.devices())
                            + " and would get "
                            + words(wanted.devices())
                            + "; that cannot change while it is there"
                            + (now.name().equals(Slice.DEFAULT) || mounted.contains(now.name())
                                    ? ""
                                    : ": delete it and create it again"));
        }
        Slice there = Placement.on(now.devices(), wanted, memories());
        for (int device : there.devices().numbers()) {
            if (there.memory() > memories().get(device) && !wantsAll(wanted)) {
                placed(Placement.again(there, rooms(Map.of(), List.of()), Instant.now()));
            }
        }
        return there;
    }

    private static boolean wantsAll(Slice wanted) {
        return wanted.memory() == Slice.ALL_MEMORY;
    }

    private static String words(DeviceSet devices) {
        return devices.isChosen()
                ? (devices.count() == 1 ? "device " : "devices ") + devices.text()
                : devices.count() + (devices.count() == 1 ? " device" : " devices");
    }

    /** Refuses what would promise more than there is. */
    void checkPromises(Map<String, Slice> changed, List<String> gone) throws ControlException {
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

    /** On devices that were found for it. The monitor is held. */
    SliceServer open(Slice slice) throws IOException {
        if (closed) {
            throw new IOException("the daemon is shutting down");
        }
        List<Device> visible =
                slice.devices().numbers().stream().<Device>map(devices::get).toList();
        SliceServer server =
                mounted.contains(slice.name())
                        ? SliceServer.open(
                                slice,
                                visible,
                                SliceFolder.take(folder, slice.name()),
                                places,
                                events,
                                log)
                        : SliceServer.open(slice, visible, folder, places, events, log);
        servers.put(slice.name(), server);
        events.add(Kind.SLICE_CREATED, slice.name(), words(slice));
        return server;
    }

    /** memory 4GiB, policy fixed, compute 30%. */
    private String words(Slice slice) {
        List<String> words = new ArrayList<>();
        Settings.describe(slice, devices.size())
                .forEach((key, value) -> words.add(key.key() + " " + value));
        return String.join(", ", words);
    }

    synchronized Optional<SliceServer> find(String name) {
        return Optional.ofNullable(servers.get(name));
    }

    synchronized List<SliceServer> all() {
        return List.copyOf(servers.values());
    }

    /** The slices, and what those had that are gone. */
    synchronized Source.Now now() {
        return new Source.Now(List.copyOf(servers.values()), endedNanos.clone());
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

    /** A slice for a program; when its name is taken it gets a number behind it. */
    SliceServer create(Slice wanted, String user) throws ControlException {
        return create(wanted, Optional.of(user), server -> {});
    }

    /** Who has started the program that a slice goes with; empty for all other slices. */
    synchronized Optional<String> user(String slice) {
        return Optional.ofNullable(passing.get(slice));
    }

    /** Done with a new slice before anybody else sees it; the monitor is held. */
    private interface Then {
        void with(SliceServer server) throws IOException;
    }

    private SliceServer create(Slice wanted, Optional<String> user, Then then)
            throws ControlException {
        check(wanted);
        long start = System.nanoTime();
        while (true) {
            synchronized (this) {
                try {
                    return createNow(wanted, user, then);
                } catch (ControlException e) {
                    // A program that has just ended may not be known to have.
                    long patience = somebodyGoes() ? GOING_NANOS : ENDING_NANOS;
                    if (System.nanoTime() - start > patience) {
                        throw e;
                    }
                }
                try {
                    wait(20);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new ControlException("the daemon is shutting down", e);
                }
            }
        }
    }

    private SliceServer createNow(Slice wanted, Optional<String> user, Then then)
            throws ControlException {
        Slice slice = wanted;
        for (int i = 2; servers.containsKey(slice.name()); i++) {
            slice = wanted.withName(wanted.name() + "-" + i);
        }
        Slice placed = place(slice, Map.of(), List.of()).slice();
        String name = slice.name();
        user.ifPresent(each -> passing.put(name, each));
        boolean opened = false;
        try {
            SliceServer server = open(placed);
            opened = true;
            try {
                then.with(server);
            } catch (IOException e) {
                end(server);
                throw e;
            }
            return server;
        } catch (IOException e) {
            throw new ControlException("the slice cannot be made: " + e.getMessage(), e);
        } finally {
            if (!opened) {
                passing.remove(name);
            }
        }
    }

    /** Whether a promise may be free in a moment: a program has ended, its slice not yet. */
    private boolean somebodyGoes() {
        Instant now = Instant.now();
        return passing.keySet().stream()
                .map(servers::get)
                .anyMatch(each ->
                        each != null
                                && each.slice().terms().promised(now) > 0
                                && each.sessions().isEmpty());
    }

    /**
     * Ends a slice, and waits a moment for that; what takes longer goes on in the background. Its
     * name is taken as long as its folder is there.
     */
    @Override
    public void remove(String name) {
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
                mounted.remove(name);
                joined.remove(name);
                // In one step: whoever sums up sees it here or there, not in neither.
                for (int i = 0; i < server.devices().size(); i++) {
                    endedNanos[server.devices().get(i)] += server.deviceNanos(i);
                }
                unsupported.ended(server);
            }
            notifyAll();
        }
        events.add(Kind.SLICE_DELETED, name, "removed");
    }

    // ---- slices that containers have mounted

    @Override
    public int devices() {
        return devices.size();
    }

    @Override
    public SliceServer openMounted(Slice wanted) throws ControlException {
        return create(wanted, Optional.empty(), this::mount);
    }

    private void mount(SliceServer server) throws IOException {
        SliceFolder.letContainersIn(folder.resolve(server.slice().name()));
        mounted.add(server.slice().name());
    }

    @Override
    public synchronized SliceServer reopen(Slice slice) throws ControlException, IOException {
        check(slice);
        SliceServer server = open(placeAgain(slice));
        try {
            checkPromises(Map.of(), List.of());
        } catch (ControlException e) {
            // Others were promised something meanwhile; the container is there all the same.
            log.warning("slice " + slice.name(), String.valueOf(e.getMessage()));
        }
        return server;
    }

    @Override
    public synchronized Optional<Operations.Made> mount(String name) throws IOException {
        SliceServer server = servers.get(name);
        if (server == null || server.isClosed() || passing.containsKey(name)) {
            return Optional.empty();
        }
        mount(server);
        return Optional.of(server);
    }

    @Override
    public synchronized void unmount(String name) {
        if (mounted.remove(name) && !servers.containsKey(name)) {
            try {
                SliceFolder.delete(folder.resolve(name));
            } catch (IOException e) {
                log.error(Who.slice(name), "its folder cannot be removed: " + e.getMessage());
            }
        }
    }

    @Override
    public Slice changeMounted(Slice other) throws ControlException {
        check(other);
        SliceServer server;
        Slice before;
        Slice wanted;
        synchronized (this) {
            server = mountedServer(other);
            before = server.slice();
            wanted = stays(before, other);
            server.checkChange(wanted);
            checkPromises(Map.of(wanted.name(), wanted), List.of());
            server.promise(wanted);
        }
        // Its worker may be slow to answer: nobody else has to wait for that.
        try {
            server.change(wanted);
        } catch (IOException e) {
            server.promise(before);
            throw new ControlException("nothing was changed: " + e.getMessage(), e);
        }
        return wanted;
    }

    private SliceServer mountedServer(Slice wanted) throws ControlException {
        SliceServer server = servers.get(wanted.name());
        if (server == null || server.isClosed()) {
            throw new ControlException("slice '" + wanted.name() + "' has ended");
        }
        return server;
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
                endings.add(each.end(!mounted.contains(each.slice().name()), () -> {}));
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
