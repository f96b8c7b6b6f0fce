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
import facet.node.pool.Pool;
import facet.node.pool.PoolAddress;
import facet.node.pool.PoolChoice;
import facet.node.pool.PoolFiles;
import facet.node.server.SliceServer;
import facet.node.slice.CompilerThreads;
import facet.node.slice.Precedence;
import facet.node.slice.SliceFolders;
import facet.pool.identity.PoolToken;
import facet.pool.identity.TokenException;
import facet.slices.Isolation;
import facet.slices.Settings;
import facet.slices.Slice;
import facet.slices.document.StateFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

    /** How long other nodes are waited for before slices are opened that may be on them. */
    private static final long POOL_MILLIS = 2000;

    private static final String OFF = "off";

    private final Options options;
    private final RuntimeFolder folder;
    private final Log log;
    private final Isolation isolation;
    private final NodeDevices devices;
    private final Pool pool;
    private final LentSlices lent;
    private final HostPlaces places;
    private final NodeSlices slices;
    private final NewSlices created;
    private final WaitingSlices waiting;
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
        pool = new Pool(new PoolFiles(options.state()), events, log);
        places = new HostPlaces(options, mains, folder.workers(), devices, pool, this::user, log);
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
                        pool,
                        places,
                        events,
                        log);
        created = new NewSlices(slices);
        lent = new LentSlices(devices, slices, created, options.pool().most());
        waiting = new WaitingSlices(slices, log);
        kept = new KeptSlices(slices, waiting, state, events, log);
        explanations = new Explanations(slices, pool);
        containers =
                Containers.open(
                        folder.containers(),
                        new MountedSlices(slices, created, vendor(), log),
                        options.containerMost(),
                        folder.path(),
                        events,
                        log);
        history = new History(new Node(), System.nanoTime());
        answers = new NodeAnswers(devices, slices, pool, lent, kept, containers, history, events);
        sampler = Sampler.start(history, () -> MoveEvents.tell(devices.residencies(), events), log);
        housekeeping = Housekeeping.start(this::isIdle);
        boolean ready = false;
        try {
            pool.start(options.pool(), lent);
            pool.awaitFirst(POOL_MILLIS);
            kept.restore(pool.isJoined() || devices.count() == 0);
            containers.restore();
            lent.open();
            // Also to a socket that is there later: the default slice may wait for a device.
            Path whole = folder.slices().resolve(Slice.DEFAULT).resolve("socket");
            Files.createSymbolicLink(folder.socket(), folder.path().relativize(whole));
            ready = true;
        } finally {
            if (!ready) {
                sampler.close();
                housekeeping.close();
                containers.close();
                waiting.close();
                slices.close();
                pool.close();
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
        devices.capability().ifPresent(version -> answer.put("computeCapability", version));
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
        Optional<String> node = lent.node(name);
        if (node.isPresent()) {
            throw new ControlException(
                    "slice '" + name + "' is node " + node.get() + "'s, which says what it has");
        }
        return containers.ofSlice(name).isPresent()
                ? containers.change(name, settings)
                : kept.change(name, settings);
    }

    @Override
    public Change delete(String name, boolean force) throws ControlException {
        if (lent.node(name).isPresent()) {
            return lent.delete(name, force);
        }
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

    // ---- the pool

    @Override
    public Map<String, Object> pool() {
        return pool.status();
    }

    @Override
    public List<Map<String, Object>> elsewhere() {
        return pool.deviceRows();
    }

    @Override
    public Map<String, Object> makePool(Optional<String> listen, Optional<String> node)
            throws ControlException {
        return pool.init(choice(List.of(), listen, node));
    }

    @Override
    public Map<String, Object> joinPool(
            List<String> seeds, String token, Optional<String> listen, Optional<String> node)
            throws ControlException {
        PoolToken parsed;
        try {
            parsed = PoolToken.parse(token);
        } catch (TokenException e) {
            throw new ControlException(String.valueOf(e.getMessage()), e);
        }
        return pool.join(parsed, choice(seeds, listen, node));
    }

    private PoolChoice choice(List<String> seeds, Optional<String> listen, Optional<String> node)
            throws ControlException {
        try {
            // Who has no device has nothing that others could want.
            String usual = seeds.isEmpty() || devices.count() > 0 ? "0.0.0.0" : OFF;
            String where = listen.orElse(usual);
            return new PoolChoice(
                    node.orElseGet(PoolChoice::usualName),
                    where.equals(OFF) ? Optional.empty() : Optional.of(PoolAddress.parse(where)),
                    seeds.stream().map(PoolAddress::parse).toList(),
                    false);
        } catch (IllegalArgumentException e) {
            throw new ControlException(String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public void leavePool(boolean force) throws ControlException {
        pool.leave(force);
    }

    @Override
    public Map<String, Object> drainPool(boolean drains) throws ControlException {
        pool.drain(drains);
        return pool.status();
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

    // ---- pods

    @Override
    public void managePods(String runtime) throws ControlException {
        containers.pods().manage(runtime);
    }

    @Override
    public Change placePod(PodContainer which, String name, Settings settings)
            throws ControlException {
        return containers.place(which, name, settings);
    }

    @Override
    public boolean forgetPod(String pod) throws ControlException {
        return containers.pods().forget(pod);
    }

    @Override
    public List<Map<String, Object>> pods() {
        return containers.podRows();
    }

    @Override
    public String podsManagedBy() {
        return containers.pods().managedBy();
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
        waiting.close();
        boolean ended = slices.end(GOING_DOWN);
        pool.close();
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
