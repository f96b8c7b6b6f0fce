package facet.bench.soak;

import facet.bench.Measurement;
import facet.bench.Options;
import facet.bench.PrivateDaemon;
import facet.bench.Table;
import facet.pool.identity.PoolToken;
import facet.testkit.net.Proxy;
import facet.testkit.net.Road;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether two daemons of a pool take no more of the machine after thousands of programs of the one
 * on the device of the other, over connections that are cut all the time.
 */
public final class PoolSoak implements Measurement {
    private static final long SEED = 18;
    private static final Duration CUTS = Duration.ofSeconds(2);

    @Override
    public String name() {
        return "soak";
    }

    @Override
    public String about() {
        return "two daemons while short programs of the one use the other's device, one in four is"
                + " killed, and connections are cut every 2 s; memory in MiB";
    }

    /** A daemon of the two, and what it took. */
    private record Watched(long pid, String url, List<Sample> samples) {
        static Watched of(PrivateDaemon daemon) throws IOException, InterruptedException {
            return new Watched(daemon.pid(), Soak.url(daemon), new ArrayList<>());
        }
    }

    @Override
    public Table measure(Options options) throws Exception {
        Table table = Soak.table(name(), about()).column("node", "node");
        int seconds = options.quick() ? 60 : options.minutes() * 60;
        int interval = seconds < 240 ? 10 : 60;
        InetSocketAddress address = freePort();
        try (PrivateDaemon far = new PrivateDaemon();
                PrivateDaemon near = new PrivateDaemon();
                Proxy proxy = Proxy.to(address, Road.PLAIN, SEED);
                HttpClient client = HttpClient.newHttpClient()) {
            Path token = far.directory().resolve("soak-token");
            Files.createFile(
                    token,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-------")));
            Files.writeString(token, PoolToken.generate().text());
            join(far, token, "far", "--pool-listen", text(address));
            join(near, token, "near", "--devices", "0", "--pool-seed", text(proxy.address()));
            for (String each : Crowd.WALLED) {
                near.run(
                        PrivateDaemon.FACET.toString(),
                        "slice",
                        "create",
                        each,
                        "--memory",
                        "256MiB");
            }
            Map<String, Watched> both = new LinkedHashMap<>();
            both.put("near", Watched.of(near));
            both.put("far", Watched.of(far));
            proxy.cutEvery(CUTS);
            long start = System.nanoTime();
            try (Crowd crowd = new Crowd(near.directory(), SEED)) {
                for (int at = 0; at <= seconds; at += interval) {
                    long left = start + at * 1_000_000_000L - System.nanoTime();
                    Thread.sleep(Math.max(0, left / 1_000_000));
                    for (Map.Entry<String, Watched> each : both.entrySet()) {
                        Watched watched = each.getValue();
                        Metrics metrics = Metrics.ask(client, watched.url());
                        Sample sample = Sample.of(watched.pid(), Soak.LOGS, metrics);
                        watched.samples().add(sample);
                        Soak.row(table, at, crowd, sample).put("node", each.getKey());
                        System.err.println("  " + at + " s, " + each.getKey() + ": " + sample);
                    }
                }
                Soak.summarize(table, crowd);
            }
            table.summarize("cuts", proxy.cuts());
            both.forEach((node, watched) -> Soak.judge(table, watched.samples(), node + ": "));
        }
        return table;
    }

    private static void join(PrivateDaemon daemon, Path token, String name, String... more)
            throws IOException, InterruptedException {
        List<String> all =
                new ArrayList<>(
                        List.of(
                                "--http",
                                "127.0.0.1:0",
                                "--pool-name",
                                name,
                                "--pool-token-file",
                                token.toString()));
        all.addAll(List.of(more));
        daemon.up(all.toArray(String[]::new));
    }

    private static String text(InetSocketAddress address) {
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }

    /** Nobody else takes it before the daemon does, as a rule. */
    private static InetSocketAddress freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return (InetSocketAddress) socket.getLocalSocketAddress();
        }
    }
}
