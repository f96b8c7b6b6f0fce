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
import facet.node.slice.Promises;
import facet.node.slice.SliceFolder;
import facet.sched.Policy;
import facet.sched.Terms;
import facet.slices.Isolation;
import facet.slices.Settings;
import facet.slices.Size;
import facet.slices.Slice;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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

    long deviceMemory() {
        return devices.getFirst().profile().memory();
    }

    /** What a slice gets that does not say what it wants. */
    synchronized Settings.Whole whole(String name) {
        return new Settings.Whole(
                deviceMemory(),
                name.equals(Slice.DEFAULT) ? devices.size() : 1,
                joined.contains(name) ? ofContainers : isolation);
    }

    @Override
    public Settings.Whole wholeOfContainer() {
        return new Settings.Whole(deviceMemory(), 1, ofContainers);
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
        if (wanted.memory() > deviceMemory()) {
            throw new ControlException(
                    "slice '"
                            + wanted.name()
                            + "' with "
                            + Size.exact(wanted.memory())
                            + " of memory on devices of "
                            + Size.exact(deviceMemory())
                            + "; ask for less, or start the daemon with more --memory");
        }
        if (wanted.devices() > devices.size()) {
            throw new ControlException(
                    "slice '"
                            + wanted.name()
                            + "' with "
                            + wanted.devices()
                            + " devices; there are "
                            + devices.size()
                            + ", start the daemon with more --devices");
        }
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

    /** Refuses what would promise more than there is; the monitor is held. */
    void checkPromises(Map<String, Slice> changed, List<String> gone) throws ControlException {
        Map<String, Slice> all = new LinkedHashMap<>();
        for (SliceServer each : servers.values()) {
            if (!each.isClosed()) {
                all.put(each.slice().name(), each.slice());
            }
        }
        all.putAll(changed);
        gone.forEach(all::remove);
        Optional<String> broken = Promises.broken(all.values(), Instant.now());
        if (broken.isPresent()) {
            throw new ControlException(broken.get());
        }
    }

    /** The monitor is held. */
    SliceServer open(Slice slice) throws IOException {
        if (closed) {
            throw new IOException("the daemon is going down");
        }
        List<Device> visible = List.copyOf(devices.subList(0, slice.devices()));
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
    private static String words(Slice slice) {
        List<String> words = new ArrayList<>();
        Settings.describe(slice).forEach((key, value) -> words.add(key.key() + " " + value));
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
            sum += device < each.devices() ? each.deviceNanos(device) : 0;
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
                    throw new ControlException("the daemon is going down", e);
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
        checkPromises(Map.of(slice.name(), slice), List.of());
        String name = slice.name();
        user.ifPresent(each -> passing.put(name, each));
        boolean opened = false;
        try {
            SliceServer server = open(slice);
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
                for (int i = 0; i < server.devices(); i++) {
                    endedNanos[i] += server.deviceNanos(i);
                }
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
        SliceServer server = open(slice);
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
    public void changeMounted(Slice wanted) throws ControlException {
        check(wanted);
        SliceServer server;
        Slice before;
        synchronized (this) {
            server = mountedServer(wanted);
            checkPromises(Map.of(wanted.name(), wanted), List.of());
            before = server.slice();
            server.promise(wanted);
        }
        // Its worker may be slow to answer: nobody else has to wait for that.
        try {
            server.change(wanted);
        } catch (IOException e) {
            server.promise(before);
            throw new ControlException("nothing was changed: " + e.getMessage(), e);
        }
    }

    private SliceServer mountedServer(Slice wanted) throws ControlException {
        SliceServer server = servers.get(wanted.name());
        if (server == null || server.isClosed()) {
            throw new ControlException("slice '" + wanted.name() + "' has ended");
        }
        if (server.slice().devices() != wanted.devices()) {
            throw new ControlException(
                    "slice '"
                            + wanted.name()
                            + "' has "
                            + server.slice().devices()
                            + " devices and would get "
                            + wanted.devices()
                            + "; that cannot change while it is there");
        }
        server.checkChange(wanted);
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
