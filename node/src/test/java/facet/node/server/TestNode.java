package facet.node.server;

import facet.device.Device;
import facet.device.DeviceProfile;
import facet.device.cpu.CpuDevice;
import facet.node.events.Events;
import facet.node.log.Format;
import facet.node.log.Log;
import facet.node.residency.Residency;
import facet.node.sharing.DeviceSharing;
import facet.node.sharing.Sharing;
import facet.node.slice.Slice;
import facet.node.worker.WorkerCommand;
import facet.node.worker.WorkerPool;
import facet.node.worker.WorkerProcess;
import facet.sched.Eviction;
import facet.sched.Terms;
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

    private static final WorkerCommand COMMAND =
            new WorkerCommand(
                    List.of(
                            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                            "@" + Path.of("../jvm.options").toAbsolutePath(),
                            "-Xmx1g",
                            "-cp",
                            System.getProperty("java.class.path")),
                    Optional.empty(),
                    true,
                    Format.TEXT);

    private final Path folder;
    private final DeviceSharing board = new DeviceSharing(2);
    private final Sharing sharing = new Sharing(Collections.nCopies(8, board));
    private final Device device;
    private final Residency residency;
    private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
    private final Log log =
            new Log(new PrintStream(lines, true, StandardCharsets.UTF_8), Log.Level.DEBUG);
    private final Events events = new Events(log);
    private final List<SliceServer> slices = new ArrayList<>();

    private final SliceServer.Places places;
    private final WorkerPool workers;

    /** Sessions in this process. */
    public TestNode() throws IOException {
        this(false);
    }

    /**
     * @param worker whether each slice has a process of its own
     */
    public TestNode(boolean worker) throws IOException {
        this(worker, 1L << 30);
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
        this(true, 1L << 30, Eviction.STANDARD, () -> COMMAND, idle);
    }

    /**
     * Each slice has a process of its own.
     *
     * @param commands how to start one
     */
    public TestNode(WorkerPool.Commands commands) throws IOException {
        this(true, 1L << 30, Eviction.STANDARD, commands, Duration.ofSeconds(30));
    }

    public TestNode(boolean worker, long memory, Eviction eviction) throws IOException {
        this(worker, memory, eviction, () -> COMMAND, Duration.ofSeconds(30));
    }

    private TestNode(
            boolean worker,
            long memory,
            Eviction eviction,
            WorkerPool.Commands commands,
            Duration idle)
            throws IOException {
        places =
                worker
                        ? (slice, devices, ledger) ->
                                new WorkerProcess(
                                        slice,
                                        devices,
                                        sharing.joinRemote(slice.terms(), devices.size()),
                                        ledger,
                                        workers(),
                                        log)
                        : (slice, devices, ledger) ->
                                new InDaemon(
                                        devices,
                                        Collections.nCopies(devices.size(), residency()),
                                        ledger,
                                        sharing.join(slice.terms(), devices.size()),
                                        slice.terms().priority(),
                                        log);
        folder = Files.createTempDirectory("facet-node");
        workers = new WorkerPool(commands, folder, 1, idle, log);
        device = CpuDevice.create(DeviceProfile.standard("Test GPU", memory, 2), 2, board);
        residency = new Residency("test", memory, eviction);
    }

    public SliceServer slice(String name) throws IOException {
        return slice(name, MEMORY);
    }

    /** Where workers come from. */
    public WorkerPool workers() {
        return workers;
    }

    /** What is on the device. */
    public Residency residency() {
        return residency;
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
                        new Slice(name, memory, devices, terms),
                        Collections.nCopies(devices, device),
                        folder,
                        places,
                        events,
                        log);
        slices.add(server);
        return server;
    }

    public Events events() {
        return events;
    }

    public String log() {
        return lines.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        slices.forEach(SliceServer::close);
        workers.close();
        residency.close();
        device.close();
        sharing.close();
        Files.delete(folder);
        System.out.print(log());
    }
}
