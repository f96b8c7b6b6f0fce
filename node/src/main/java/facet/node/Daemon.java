package facet.node;

import facet.device.Device;
import facet.device.DeviceProfile;
import facet.doors.control.Change;
import facet.doors.control.ControlException;
import facet.doors.control.Operations;
import facet.doors.events.Events;
import facet.doors.history.History;
import facet.doors.history.Sampler;
import facet.doors.history.Source;
import facet.doors.metrics.Figures;
import facet.host.ledger.LedgerMemory;
import facet.host.ledger.MachineMemory;
import facet.host.residency.Residency;
import facet.log.Log;
import facet.node.confine.Confinement;
import facet.node.container.Containers;
import facet.node.server.DeviceId;
import facet.node.server.HostPlace;
import facet.node.server.InDaemon;
import facet.node.server.LazyDevice;
import facet.node.server.SliceServer;
import facet.node.sharing.DeviceSharing;
import facet.node.sharing.Sharing;
import facet.node.slice.CompilerThreads;
import facet.node.slice.Precedence;
import facet.node.worker.WorkerCommand;
import facet.node.worker.WorkerPool;
import facet.node.worker.WorkerProcess;
import facet.slices.Isolation;
import facet.slices.Settings;
import facet.slices.Slice;
import facet.slices.document.StateFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** The devices of this node and the slices that share them. */
final class Daemon implements Operations, AutoCloseable {
    /** What still runs then is not waited for. */
    private static final Duration GOING_DOWN = Duration.ofSeconds(3);

    private final Options options;
    private final Mains mains;
    private final RuntimeFolder folder;
    private final Log log;
    private final Isolation isolation;
    private final WorkerPool workers;
    private @Nullable WorkerCommand worker;
    private final List<LazyDevice> devices = new ArrayList<>();
    private final Sharing sharing;
    private final List<Residency> residencies = new ArrayList<>();
    private final NodeSlices slices;
    private final KeptSlices kept;
    private final Events events;
    private final History history;
    private final Sampler sampler;
    private final Housekeeping housekeeping;
    private final Containers containers;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final long started = System.nanoTime();
    private Map<String, Object> http = Map.of("http", "off");

    Daemon(Options options, Mains mains, RuntimeFolder folder, StateFolder state, Log log)
            throws IOException {
        this.mains = mains;
        this.options = options;
        this.folder = folder;
        this.log = log;
        events = new Events(log);
        // Members of a group are several users; without one only the daemon's user reaches slices.
        isolation =
                options.isolation()
                        .orElse(
                                options.adminGroup().isPresent()
                                        ? Isolation.PROCESS
                                        : Isolation.SHARED);
        workers =
                new WorkerPool(
                        this::workerCommand,
                        folder.workers(),
                        options.warmWorkers(),
                        options.workerIdle(),
                        log);
        String capability = options.profile().orElse(mains.devices().usualCapability());
        int cores = Runtime.getRuntime().availableProcessors();
        List<DeviceSharing> boards = new ArrayList<>();
        List<Long> memories = options.devices().memories(MachineMemory::half);
        for (int i = 0; i < memories.size(); i++) {
            long memory = memories.get(i);
            DeviceSharing board = new DeviceSharing(cores);
            boards.add(board);
            devices.add(
                    new LazyDevice(
                            mains.devices(),
                            mains.devices().profile(capability, name(options), memory, cores),
                            cores,
                            options.sharing() ? Optional.of(board) : Optional.empty()));
            residencies.add(new Residency(Integer.toString(i), memory));
        }
        sharing = new Sharing(boards);
        slices =
                new NodeSlices(
                        devices,
                        folder.slices(),
                        folder.containers().slices(),
                        options.sharing(),
                        isolation,
                        options.isolation().orElse(Isolation.PROCESS),
                        this::place,
                        events,
                        log);
        kept = new KeptSlices(slices, state, events, log);
        containers =
                Containers.open(
                        folder.containers(),
                        slices,
                        options.containerMost(),
                        folder.path(),
                        events,
                        log);
        history = new History(new Node(cores), System.nanoTime());
        sampler = Sampler.start(history, () -> MoveEvents.tell(residencies, events), log);
        housekeeping = Housekeeping.start(this::isIdle);
        boolean ready = false;
        try {
            SliceServer whole = kept.restore();
            containers.restore();
            Files.createSymbolicLink(folder.socket(), folder.path().relativize(whole.socket()));
            ready = true;
        } finally {
            if (!ready) {
                sampler.close();
                housekeeping.close();
                containers.close();
                slices.close();
                workers.close();
            }
        }
    }

    private static String name(Options options) {
        String usual =
                options.profile()
                        .map(each -> "Facet Software GPU (compute capability " + each + ")")
                        .orElse("Facet Software GPU");
        return options.name().orElse(usual);
    }

    private boolean isIdle() {
        return slices.all().stream().allMatch(each -> each.sessions().isEmpty());
    }

    /** For the history. */
    private final class Node implements Source {
        private final int cores;

        Node(int cores) {
            this.cores = cores;
        }

        @Override
        public int devices() {
            return devices.size();
        }

        @Override
        public int multiprocessors() {
            return cores;
        }

        @Override
        public Now now() {
            return slices.now();
        }
    }

    private HostPlace place(Slice slice, List<Device> visible, LedgerMemory ledger) {
        List<Integer> numbers = slice.devices().numbers();
        List<Residency> books = numbers.stream().map(residencies::get).toList();
        return switch (slice.isolation()) {
            case PROCESS ->
                    new WorkerProcess(
                            slice,
                            visible,
                            books,
                            options.sharing() ? sharing.joinRemote(slice.terms(), numbers) : null,
                            ledger,
                            workers,
                            log);
            case SHARED ->
                    new InDaemon(
                            visible,
                            books,
                            ledger,
                            options.sharing()
                                    ? sharing.join(
                                            slice.terms(),
                                            numbers,
                                            options.shareCode().name(slices.user(slice.name())))
                                    : null,
                            slice.terms().priority(),
                            log);
        };
    }

    private synchronized WorkerCommand workerCommand() throws IOException {
        WorkerCommand command = worker;
        if (command == null) {
            command =
                    WorkerCommand.likeThis(
                            mains.daemon(),
                            mains.worker(),
                            options.log(),
                            options.debug(),
                            options.logFormat(),
                            Confinement.find(folder.workers(), false));
            worker = command;
        }
        return command;
    }

    /** Makes the devices, so that the first program or container need not wait for them. */
    void warmUp() throws IOException {
        CompilerThreads compilers = new CompilerThreads((int) ProcessHandle.current().pid());
        compilers.stepBack();
        if (options.sharing() && Precedence.find().isReversible()) {
            sharing.helpNewcomers(compilers);
        }
        if (isolation == Isolation.SHARED) {
            devices.getFirst().open();
        }
        containers.warmUp();
        workers.keepWarm();
    }

    /** What the status tells about HTTP. */
    synchronized void tellHttp(Map<String, Object> about) {
        http = about;
    }

    // ---- what can be asked

    @Override
    public Map<String, Object> status() {
        List<SliceServer> current = slices.all();
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("pid", ProcessHandle.current().pid());
        answer.put("uptimeSeconds", (System.nanoTime() - started) / 1_000_000_000L);
        answer.put("runtimeDirectory", folder.path().toString());
        answer.put("stateDirectory", options.state().toString());
        answer.putAll(http);
        synchronized (this) {
            if (worker != null) {
                answer.put("isolation", worker.isolation());
            }
        }
        answer.put("computeCapability", devices.getFirst().profile().capability());
        answer.put("devices", devices.size());
        answer.put("slices", current.size());
        answer.put("sessions", current.stream().mapToInt(e -> e.sessions().size()).sum());
        return answer;
    }

    @Override
    public List<Map<String, Object>> devices() {
        return devices(slices.refreshed());
    }

    private List<Map<String, Object>> devices(List<SliceServer> current) {
        List<Map<String, Object>> all = new ArrayList<>();
        for (int i = 0; i < devices.size(); i++) {
            DeviceProfile profile = devices.get(i).profile();
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("device", i);
            row.put("name", profile.name());
            row.put("uuid", DeviceId.text(i));
            row.put("computeCapability", profile.capability());
            row.put("multiprocessors", profile.multiprocessors());
            row.put("memory", profile.memory());
            row.put("used", memoryUsed(current, i));
            row.put("deviceNanos", slices.deviceNanos(i));
            Residency.Figures figures = residencies.get(i).figures();
            row.put("resident", figures.resident());
            row.put("movedOut", figures.movedOut());
            row.put("moves", figures.moves());
            row.put("movedBytes", figures.movedBytes());
            all.add(row);
        }
        return all;
    }

    private static long memoryUsed(List<SliceServer> slices, int device) {
        long sum = 0;
        for (SliceServer each : slices) {
            int index = each.devices().indexOf(device);
            sum += index < 0 ? 0 : each.memoryUsed(index);
        }
        return sum;
    }

    @Override
    public List<Map<String, Object>> slices() {
        return slices(slices.refreshed());
    }

    private List<Map<String, Object>> slices(List<SliceServer> current) {
        List<Map<String, Object>> all = new ArrayList<>();
        for (SliceServer each : current) {
            String name = each.slice().name();
            all.add(SliceRows.slice(each, kept.isKept(name), containers.ofSlice(name)));
        }
        return all;
    }

    @Override
    public List<Map<String, Object>> sessions() {
        List<Map<String, Object>> all = new ArrayList<>();
        for (SliceServer slice : slices.refreshed()) {
            for (HostPlace.HostedSession each : slice.sessions()) {
                all.add(SliceRows.session(slice, each));
            }
        }
        return all;
    }

    @Override
    public List<Map<String, Object>> unsupported() {
        return slices.unsupported();
    }

    // ---- what can be watched

    /** Workers are not asked: what they said a moment ago is enough for somebody who looks on. */
    @Override
    public Map<String, Object> live() {
        List<SliceServer> current = slices.all();
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("now", System.currentTimeMillis());
        answer.put("status", status());
        answer.put("devices", LiveRows.devices(devices(current), history));
        answer.put("slices", LiveRows.slices(slices(current), history));
        answer.put("lastEvent", events.last());
        return answer;
    }

    @Override
    public Figures figures() {
        List<SliceServer> current = slices.all();
        List<Figures.OfDevice> ofDevices = new ArrayList<>();
        for (int i = 0; i < devices.size(); i++) {
            ofDevices.add(
                    NodeFigures.device(
                            i,
                            devices.get(i).profile(),
                            memoryUsed(current, i),
                            slices.deviceNanos(i),
                            residencies.get(i)));
        }
        return new Figures(
                ofDevices, current.stream().map(NodeFigures::slice).toList(), events.counts());
    }

    @Override
    public History history() {
        return history;
    }

    @Override
    public Events events() {
        return events;
    }

    @Override
    public Settings.Whole whole() {
        return slices.whole("run");
    }

    // ---- slices

    @Override
    public SliceServer create(Slice wanted, String user) throws ControlException {
        return slices.create(wanted, user);
    }

    @Override
    public void remove(String name) {
        slices.remove(name);
    }

    @Override
    public Change keep(String name, Settings settings) throws ControlException {
        return kept.keep(name, settings);
    }

    @Override
    public Change change(String name, Settings settings) throws ControlException {
        return containers.ofSlice(name).isPresent()
                ? containers.change(name, settings)
                : kept.change(name, settings);
    }

    @Override
    public Change delete(String name, boolean force) throws ControlException {
        if (containers.ofSlice(name).isPresent()) {
            Change change = containers.delete(name, force);
            return slices.find(name).isPresent() ? change.goingOn() : change;
        }
        containers.checkJoined(name, force);
        return kept.delete(name, force);
    }

    @Override
    public List<Change> apply(String document, boolean prune, boolean force, boolean dryRun)
            throws ControlException {
        List<Change> planned = kept.apply(document, prune, force, true);
        for (Change each : planned) {
            if (each.action() == Change.Action.DELETED) {
                containers.checkJoined(each.slice(), force);
            }
        }
        return dryRun ? planned : kept.apply(document, prune, force, false);
    }

    // ---- containers

    @Override
    public Optional<Made> startContainer(String id, int pid, String config, Optional<String> joined)
            throws ControlException {
        if (joined.isPresent() && !kept.isKept(joined.get())) {
            throw new ControlException(
                    "there is no kept slice '"
                            + joined.get()
                            + "' that a container could join; 'facet slice create' makes one");
        }
        if (joined.isPresent()) {
            kept.letContainerIn(joined.get());
        }
        return containers.startContainer(id, pid, config, joined);
    }

    @Override
    public boolean endContainer(String id) {
        return containers.endContainer(id);
    }

    @Override
    public Configured configureContainer(String config, String hook) throws ControlException {
        return containers.configureContainer(config, hook);
    }

    @Override
    public void stop() {
        stopped.countDown();
    }

    void awaitStop() throws InterruptedException {
        stopped.await();
    }

    @Override
    public void close() {
        sampler.close();
        housekeeping.close();
        containers.close();
        if (slices.end(GOING_DOWN)) {
            workers.close();
            residencies.forEach(Residency::close);
            devices.forEach(LazyDevice::close);
        } else {
            // The process takes along what is left. Closing would wait for it.
            log.warning("facetd", "shuts down although work on a device does not stop");
            workers.close();
        }
        endConfinement();
        sharing.close();
        stopped.countDown();
    }

    private synchronized void endConfinement() {
        if (worker != null) {
            worker.confinement().ifPresent(Confinement::close);
        }
    }
}
