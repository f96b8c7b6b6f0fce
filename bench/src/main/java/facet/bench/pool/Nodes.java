package facet.bench.pool;

import facet.bench.Places;
import facet.bench.PrivateDaemon;
import facet.device.Device;
import facet.device.cpu.CpuDevice;
import facet.doors.events.Events;
import facet.log.Log;
import facet.node.pool.RelayPlace;
import facet.node.server.SliceServer;
import facet.pool.content.ContentStore;
import facet.pool.identity.NodeIdentity;
import facet.pool.identity.PoolToken;
import facet.pool.link.LaneKind;
import facet.pool.link.Link;
import facet.pool.link.LinkServer;
import facet.pool.link.LinkTimes;
import facet.pool.relay.FarSession;
import facet.sched.Terms;
import facet.slices.DeviceSet;
import facet.slices.Slice;
import facet.testkit.far.FarDevices;
import facet.testkit.net.Proxy;
import facet.testkit.net.Road;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A node with a device, one without, and what is between them. The daemon with the device is one as
 * users start it; both ends of the links are in this process.
 */
final class Nodes implements AutoCloseable {
    private static final long MEMORY = 2L << 30;
    private static final String SLICE = "default";

    private final PrivateDaemon far = new PrivateDaemon();
    private final PoolToken token = PoolToken.generate();
    private final ContentStore store = new ContentStore(ContentStore.USUAL_BYTES);
    private final Log log = new Log(System.err, Log.Level.WARNING);
    private final List<Link> links = new ArrayList<>();
    private final Path folder = Files.createTempDirectory("facet-bench-near");
    private final Path socket;
    private final LinkServer server;
    private final Device described;

    Nodes() throws IOException, InterruptedException {
        far.up("--http", "off", "--memory", Long.toString(MEMORY));
        socket = far.directory().resolve("socket").toRealPath();
        int cores = Runtime.getRuntime().availableProcessors();
        described =
                FarDevices.of(
                        CpuDevice.create(CpuDevice.profile("GPU elsewhere", MEMORY, cores), cores));
        server =
                LinkServer.listen(
                        NodeIdentity.of(token, "far"),
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        LinkTimes.USUAL,
                        link -> {
                            synchronized (links) {
                                links.add(link);
                            }
                            return new FarSession(link, (_, _) -> socket, store, log);
                        },
                        log);
    }

    /** What a program printed, by name, and what it took on the way. */
    record Run(Map<String, Double> figures, Traffic traffic) {
        double get(String name) {
            Double value = figures.get(name);
            if (value == null) {
                throw new IllegalStateException("the program did not print " + name);
            }
            return value;
        }
    }

    /**
     * @param commands bytes of messages on the lane of commands, to the device
     * @param all bytes of messages on both lanes, to the device
     * @param plain the same if nothing was left out
     * @param back bytes of messages on both lanes, from the device
     * @param waits how often the program waited for the other node
     * @param roundTrip seconds, as the link has measured it
     */
    record Traffic(long commands, long all, long plain, long back, long waits, double roundTrip) {
        static final Traffic NONE = new Traffic(0, 0, 0, 0, 0, 0);
    }

    /** Until ciphers and relays are compiled. */
    void warm() throws IOException, InterruptedException {
        try (Near near = new Near(Road.PLAIN, 1)) {
            near.run("launches", "20000", "1", "3");
            near.run("loop", "50", "1", "3");
            near.run("copies", "100", "3");
        }
    }

    /** On the node of the device. */
    Run locally(String... arguments) throws IOException, InterruptedException {
        return new Run(run(socket, arguments), Traffic.NONE);
    }

    /** A slice of the node without a device. */
    final class Near implements AutoCloseable {
        private final Proxy proxy;
        private final SliceServer slice;
        private final Events events = new Events(log);

        Near(Road road, long seed) throws IOException {
            proxy = Proxy.to(server.address(), road, seed);
            slice =
                    SliceServer.open(
                            new Slice(SLICE, MEMORY, 1, Terms.REST).withDevices(DeviceSet.first(1)),
                            List.of(described),
                            Files.createTempDirectory(folder, "slices"),
                            (name, _, ledger) ->
                                    new RelayPlace(
                                            new StandingSlice(
                                                    NodeIdentity.of(token, "near"),
                                                    name.name(),
                                                    proxy.address()),
                                            ledger,
                                            log),
                            events,
                            log);
        }

        Proxy proxy() {
            return proxy;
        }

        Run run(String... arguments) throws IOException, InterruptedException {
            Map<String, Double> figures = Nodes.run(slice.socket(), arguments);
            // There may be one that waits for the next program: the last one that was used.
            Link link = null;
            synchronized (links) {
                for (Link each : links) {
                    link = each.figures().roundTrips() > 0 ? each : link;
                }
                links.clear();
            }
            if (link == null) {
                throw new IOException("the program has not used the other node");
            }
            return new Run(
                    figures,
                    new Traffic(
                            link.figures(LaneKind.COMMANDS).received(),
                            link.figures().received(),
                            link.figures().plainReceived(),
                            link.figures().sent(),
                            link.figures().roundTrips(),
                            link.figures().roundTripNanos() / 1e9));
        }

        @Override
        public void close() throws IOException {
            slice.close();
            proxy.close();
        }
    }

    private static Map<String, Double> run(Path socket, String... arguments)
            throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Places.inRepository("native/target/bench/remote").toString(),
                                Places.inRepository("bench/pool/remote.ptx").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("FACET_SOCKET", socket.toString());
        Path errors = Files.createTempFile("facet-bench", ".txt");
        Process process = builder.redirectError(errors.toFile()).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = process.waitFor();
        String text = Files.readString(errors);
        Files.delete(errors);
        if (status != 0) {
            throw new IOException(
                    String.join(" ", command) + " ended with status " + status + ": " + text);
        }
        Map<String, Double> figures = new LinkedHashMap<>();
        for (String line : output.lines().toList()) {
            String[] fields = line.split("\t", -1);
            figures.put(fields[0], Double.parseDouble(fields[1]));
        }
        return figures;
    }

    @Override
    public void close() throws IOException {
        server.close();
        store.close();
        described.close();
        far.close();
        try (var files = Files.walk(folder)) {
            for (Path each : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }
}
