package facet.node;

import facet.doors.control.Change;
import facet.doors.control.ControlException;
import facet.doors.control.Operations;
import facet.doors.events.Events;
import facet.doors.history.History;
import facet.doors.history.Sampler;
import facet.doors.history.Source;
import facet.doors.metrics.Figures;
import facet.log.Log;
import facet.node.container.Containers;
import facet.node.container.VendorPlaces;
import facet.node.server.SliceServer;
import facet.node.slice.CompilerThreads;
import facet.node.slice.Precedence;
import facet.node.slice.SliceFolders;
import facet.slices.Isolation;
import facet.slices.Settings;
import facet.slices.Slice;
import facet.slices.document.StateFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/** The devices of this node and the slices that share them: wires them, and starts and ends all. */
final class Daemon implements Operations, AutoCloseable {
    /** What still runs then is not waited for. */
    private static final Duration GOING_DOWN = Duration.ofSeconds(3);

    private final Options options;
    private final RuntimeFolder folder;
    private final Log log;
    private final Isolation isolation;
    private final NodeDevices devices;
    private final HostPlaces places;
    private final NodeSlices slices;
    private final NewSlices created;
    private final KeptSlices kept;
    private final Events events;
    private final History history;
    private final Sampler sampler;
    private final Housekeeping housekeeping;
    private final Containers containers;
    private final Explanations explanations;
    private final NodeAnswers answers;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final long started = System.nanoTime();
    private Map<String, Object> http = Map.of("http", "off");

    Daemon(Options options, Mains mains, RuntimeFolder folder, StateFolder state, Log log)
            throws IOException {
        this.options = options;
        this.folder = folder;
        this.log = log;
        events = new Events(log);
        // Members of a group are several users; without one only the daemon's user reaches slices.
        isolation =
                options.isolation()
                        .orElse(
                                options.adminGroup().isPresent() || !mains.devices().isSoftware()
                                        ? Isolation.PROCESS
                                        : Isolation.SHARED);
        devices = new NodeDevices(mains.devices(), options);
        places = new HostPlaces(options, mains, folder.workers(), devices, this::user, log);
        Set<String> mounted = folder.containers().slices();
        slices =
                new NodeSlices(
                        devices.all(),
                        new SliceFolders(
                                folder.slices(), mounted, options.containerMost().letsDirect()),
                        new SliceDefaults(
                                devices.count(),
                                isolation,
                                options.isolation().orElse(Isolation.PROCESS),
                                mounted),
                        options.sharing(),
                        places,
                        events,
                        log);
        created = new NewSlices(slices);
        kept = new KeptSlices(slices, state, events, log);
        explanations = new Explanations(slices);
        containers =
                Containers.open(
                        folder.containers(),
                        new MountedSlices(slices, created, vendor(), log),
                        options.containerMost(),
                        folder.path(),
                        events,
                        log);
        history = new History(new Node(), System.nanoTime());
        answers = new NodeAnswers(devices, slices, kept, containers, history, events);
        sampler = Sampler.start(history, () -> MoveEvents.tell(devices.residencies(), events), log);
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
                places.close();
            }
        }
    }

    private Optional<VendorPlaces> vendor() {
        return devices.areSoftware()
                ? Optional.empty()
                : Optional.of(
                        new VendorPlaces(
                                options.gpus().root(),
                                options.gpus().libraries(),
                                devices.all().stream().map(each -> each.id().orElse("")).toList()));
    }

    private Optional<String> user(String slice) {
        return slices.user(slice);
    }

    private boolean isIdle() {
        return slices.all().stream().allMatch(each -> each.sessions().isEmpty());
    }

    /** For the history. */
    private final class Node implements Source {
        @Override
        public int devices() {
            return devices.count();
        }

        @Override
        public int multiprocessors() {
            return devices.multiprocessors();
        }

        @Override
        public Now now() {
            return slices.now();
        }
    }

    /** Makes what the first program or container would have to wait for. */
    void warmUp() throws IOException {
        CompilerThreads compilers = new CompilerThreads((int) ProcessHandle.current().pid());
        compilers.stepBack();
        if (options.sharing() && Precedence.find().isReversible()) {
            devices.sharing().helpNewcomers(compilers);
        }
        if (isolation == Isolation.SHARED) {
            devices.warmUp();
        }
        containers.warmUp();
        places.keepWarm();
    }

    /** What the status tells about HTTP. */
    synchronized void tellHttp(Map<String, Object> about) {
        http = about;
    }

    // ---- what can be asked

    @Override
    public Map<String, Object> status() {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("pid", ProcessHandle.current().pid());
        answer.put("uptimeSeconds", (System.nanoTime() - started) / 1_000_000_000L);
        answer.put("runtimeDirectory", folder.path().toString());
        answer.put("stateDirectory", options.state().toString());
        synchronized (this) {
            answer.putAll(http);
        }
        places.isolation().ifPresent(how -> answer.put("isolation", how));
        answer.put("computeCapability", devices.capability());
        answer.put("containersDirect", options.containerMost().letsDirect());
        answer.putAll(answers.counts());
        return answer;
    }

    @Override
    public List<Map<String, Object>> devices() {
        return answers.devices();
    }

    @Override
    public List<Map<String, Object>> slices() {
        return answers.slices();
    }

    @Override
    public Map<String, Object> explain(String slice) throws ControlException {
        return answers.explain(slice);
    }

    @Override
    public List<Map<String, Object>> sessions() {
        return answers.sessions();
    }

    @Override
    public List<Map<String, Object>> unsupported() {
        return slices.unsupported();
    }

    @Override
    public Map<String, Object> live() {
        return answers.live(status());
    }

    @Override
    public Figures figures() {
        return answers.figures();
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
        return slices.defaults().ofProgram();
    }

    // ---- slices

    @Override
    public SliceServer create(Slice wanted, String user) throws ControlException {
        return created.create(wanted, user);
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

    @Override
    public Map<String, Object> explainPlace(String name, Settings settings)
            throws ControlException {
        return explanations.of(name, settings);
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
    public Optional<DirectFiles> directFiles(Slice slice) throws ControlException {
        return containers.directFiles(slice);
    }

    @Override
    public Map<String, String> deviceFiles(int device) throws ControlException {
        return containers.deviceFiles(device);
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
        boolean ended = slices.end(GOING_DOWN);
        if (!ended) {
            log.warning("facetd", "shuts down although work on a device does not stop");
        }
        places.close();
        if (ended) {
            // Otherwise the process takes along what is left: closing would wait for it.
            devices.close();
        }
        places.endConfinement();
        devices.sharing().close();
        stopped.countDown();
    }
}
