package facet.node.server;

import facet.device.Device;
import facet.device.cpu.CpuDevice;
import facet.doors.events.Events;
import facet.host.ledger.LedgerMemory;
import facet.host.residency.Residency;
import facet.log.Format;
import facet.log.Log;
import facet.node.confine.Confinement;
import facet.node.sharing.DeviceSharing;
import facet.node.sharing.Sharing;
import facet.node.slice.SliceFolder;
import facet.node.worker.Keeping;
import facet.node.worker.WorkerCommand;
import facet.node.worker.WorkerMain;
import facet.node.worker.WorkerPool;
import facet.node.worker.WorkerProcess;
import facet.os.ProcessUnsafe;
import facet.sched.Eviction;
import facet.sched.Terms;
import facet.slices.DeviceSet;
import facet.slices.Slice;
import facet.testkit.far.FarDevices;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Slices on one device in this process. */
public final class TestNode implements AutoCloseable {
    public static final long MEMORY = 64L << 20;

    /** -Dfacet.far=true tries the same tests with a device whose memory cannot be mapped. */
    private static final boolean FAR = Boolean.getBoolean("facet.far");

    /**
     * -Dfacet.relay=true tries them with programs on another node than the device, and
     * -Dfacet.cuts=200 with connections that are cut every so many milliseconds.
     */
    private static final boolean RELAY = Boolean.getBoolean("facet.relay");

    private static final int CUTS = Integer.getInteger("facet.cuts", 0);

    private final Optional<TestRelay> relay;

    /** The JVM of workers. */
    public static final List<String> JAVA =
            List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "@" + Path.of("../jvm.options").toAbsolutePath().normalize(),
                    "@" + Path.of("../worker.options").toAbsolutePath().normalize(),
                    "-cp",
                    System.getProperty("java.class.path"));

    /** How much a worker is kept from the machine. */
    public enum Wall {
        /** Sessions in this process. */
        NONE,
        /** A process of its own for each slice. */
        PROCESS,
        /** One that facet-confine has started. */
        CONFINED,
        /** Every second slice has a process of its own. */
        MIXED
    }

    private final Path folder;
    private final DeviceSharing board = new DeviceSharing(2);
    private final Sharing sharing = new Sharing(Collections.nCopies(8, board));
    private final Device device;
    private final Residency residency;
    private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
    private final Log log =
            new Log(new PrintStream(lines, true, StandardCharsets.UTF_8), Log.Level.DEBUG);
    private final Events events = new Events(log);

    /** A worker that waits for a processor for long still says what is true. */
    private static final Duration ANSWERS = Duration.ofSeconds(30);

    private final List<SliceServer> slices = new ArrayList<>();

    /** Of those, what programs see of them on another node. */
    private final List<SliceServer> relayed = new ArrayList<>();

    private final SliceServer.Places places;
    private final WorkerCommand command;
    private final Wall wall;
    private final WorkerPool workers;
    private Optional<String> codeName = Optional.empty();

    /** Sessions in this process. -Dfacet.wall=CONFINED tries the same tests with that wall. */
    public TestNode() throws IOException {
        this(Wall.valueOf(System.getProperty("facet.wall", "NONE")));
    }

    /**
     * @param worker whether each slice has a process of its own
     */
    public TestNode(boolean worker) throws IOException {
        this(worker, 1L << 30);
    }

    public TestNode(Wall wall) throws IOException {
        this(wall, 1L << 30, Eviction.STANDARD);
    }

    /**
     * @param memory bytes of the device
     */
    public TestNode(boolean worker, long memory) throws IOException {
        this(worker, memory, Eviction.STANDARD);
    }

    /**
     * Each slice has a process of its own.
     *
     * @param idle how long one stays without sessions
     */
    public TestNode(Duration idle) throws IOException {
        this(Wall.PROCESS, Keeping.usual(idle));
    }

    /**
     * @param keeping which workers stay without sessions, and how long
     */
    public TestNode(Wall wall, Keeping keeping) throws IOException {
        this(wall, 1L << 30, Eviction.STANDARD, Optional.empty(), keeping);
    }

    /**
     * Each slice has a process of its own.
     *
     * @param commands how to start one
     */
    public TestNode(WorkerPool.Commands commands) throws IOException {
        this(
                Wall.PROCESS,
                1L << 30,
                Eviction.STANDARD,
                Optional.of(commands),
                Keeping.usual(Duration.ofSeconds(30)));
    }

    public TestNode(boolean worker, long memory, Eviction eviction) throws IOException {
        this(worker ? Wall.PROCESS : Wall.NONE, memory, eviction);
    }

    public TestNode(Wall wall, long memory) throws IOException {
        this(wall, memory, Eviction.STANDARD);
    }

    public TestNode(Wall wall, long memory, Eviction eviction) throws IOException {
        this(wall, memory, eviction, Optional.empty(), Keeping.usual(Duration.ofSeconds(30)));
    }

    private TestNode(
            Wall wall,
            long memory,
            Eviction eviction,
            Optional<WorkerPool.Commands> commands,
            Keeping keeping)
            throws IOException {
        folder = Files.createTempDirectory("facet-node");
        command =
                new WorkerCommand(
                        JAVA,
                        (FAR ? FarWorker.class : WorkerMain.class).getName(),
                        Optional.empty(),
                        true,
                        Format.TEXT,
                        confinement(wall));
        this.wall = wall;
        places = this::place;
        workers = new WorkerPool(commands.orElse(() -> command), folder, 1, keeping, log);
        Device near = CpuDevice.create(CpuDevice.profile("Test GPU", memory, 2), 2, board);
        device = FAR ? FarDevices.of(near) : near;
        residency = new Residency("test", memory, eviction, ANSWERS.toNanos());
        relay = RELAY ? Optional.of(new TestRelay(CUTS, log)) : Optional.empty();
    }

    private HostPlace place(Slice slice, List<Device> devices, LedgerMemory ledger) {
        List<Residency> residencies = Collections.nCopies(devices.size(), residency);
        boolean worker =
                switch (wall) {
                    case NONE -> false;
                    case PROCESS, CONFINED -> true;
                    case MIXED -> slices.size() % 2 == 1;
                };
        return worker
                ? new WorkerProcess(
                        slice,
                        devices,
                        residencies,
                        sharing.joinRemote(slice.terms(), slice.devices().numbers()),
                        ledger,
                        workers,
                        codeName,
                        log)
                : new InDaemon(
                        devices,
                        residencies,
                        ledger,
                        sharing.join(slice.terms(), slice.devices().numbers(), Optional.empty()),
                        slice.terms().priority(),
                        log);
    }

    /** As root nothing may be missing. */
    private Optional<Confinement> confinement(Wall wall) {
        return wall == Wall.CONFINED
                ? Optional.of(
                        new Confinement(
                                Path.of("../native/target/bin/facet-confine").toAbsolutePath(),
                                folder.resolve("workers"),
                                facet.node.confine.WorkerFiles.NONE,
                                ProcessUnsafe.user() == 0))
                : Optional.empty();
    }

    public SliceServer slice(String name) throws IOException {
        return slice(name, MEMORY);
    }

    /** Slices that are made from now on have this name for their code. */
    public void codeName(String name) {
        codeName = Optional.of(name);
    }

    /** Where workers come from. */
    public WorkerPool workers() {
        return workers;
    }

    /** What is on the device. */
    public Residency residency() {
        return residency;
    }

    private void askWorkers() {
        long until = System.nanoTime() + ANSWERS.toNanos();
        slices.forEach(each -> each.ask().await(until));
    }

    /** The same with what workers say of themselves now. */
    public Residency.Figures figures() {
        askWorkers();
        return residency.figures();
    }

    /** Bytes of a slice that are on the device now. */
    public long residentOf(String slice) {
        askWorkers();
        return residency.residentOf(slice);
    }

    public SliceServer slice(String name, long memory) throws IOException {
        return slice(name, memory, 1, Terms.REST);
    }

    /**
     * @param devices of which each is the same
     */
    public SliceServer slice(String name, long memory, int devices) throws IOException {
        return slice(name, memory, devices, Terms.REST);
    }

    public SliceServer slice(String name, long memory, Terms terms) throws IOException {
        return slice(name, memory, 1, terms);
    }

    private SliceServer slice(String name, long memory, int devices, Terms terms)
            throws IOException {
        SliceServer server =
                SliceServer.open(
                        new Slice(name, memory, devices, terms)
                                .withDevices(DeviceSet.first(devices)),
                        Collections.nCopies(devices, device),
                        folder,
                        places,
                        events,
                        log);
        slices.add(server);
        if (relay.isPresent()) {
            SliceServer near =
                    relay.get().slice(server, Collections.nCopies(devices, device), folder, events);
            relayed.add(near);
            return near;
        }
        return server;
    }

    /** The process of the worker that a slice has; 0: none. */
    public static long worker(SliceServer slice) {
        return slice.process().map(HostPlace.OwnProcess::pid).orElse(0L);
    }

    public Events events() {
        return events;
    }

    public String log() {
        return lines.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        relayed.forEach(SliceServer::close);
        relay.ifPresent(TestRelay::close);
        slices.forEach(SliceServer::close);
        workers.close();
        command.confinement().ifPresent(Confinement::close);
        residency.close();
        device.close();
        sharing.close();
        SliceFolder.delete(folder);
        System.out.print(log());
    }
}
