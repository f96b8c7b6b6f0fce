package facet.system.tests;

import com.fasterxml.jackson.databind.JsonNode;
import facet.testkit.net.Proxy;
import facet.testkit.net.Road;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Two daemons: one has a device, the other has none and is in the pool of the first. */
final class TestPool implements AutoCloseable {
    private final Daemon far;
    private final Daemon near;
    private final Proxy proxy;

    private TestPool(Daemon far, Daemon near, Proxy proxy) {
        this.far = far;
        this.near = near;
        this.proxy = proxy;
    }

    /**
     * @param cuts milliseconds between two cuts of connections, on average; 0: none
     * @param options of the daemon with the device
     */
    static TestPool start(int cuts, String... options) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("--http", "off"));
        all.addAll(List.of(options));
        Daemon far = Daemon.start("2G", all.toArray(String[]::new));
        JsonNode made;
        try (Control control = far.control()) {
            made = control.ask("pool-init listen=127.0.0.1:0 node=far");
        }
        String listens = made.path("listens").asText();
        int port = Integer.parseInt(listens.substring(listens.lastIndexOf(':') + 1));
        long seed = new Random().nextLong();
        System.out.println("seed of cuts " + seed);
        Proxy proxy =
                Proxy.to(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                        Road.PLAIN,
                        seed);
        Daemon near = Daemon.start("", "--devices", "0", "--http", "127.0.0.1:0");
        String token = Files.readString(Path.of(made.path("tokenFile").asText())).strip();
        try (Control control = near.control()) {
            control.ask(
                    "pool-join node=near listen=off seeds=127.0.0.1:"
                            + proxy.address().getPort()
                            + " token="
                            + token);
            await(control, "elsewhere", "devices");
        }
        if (cuts > 0) {
            proxy.cutEvery(Duration.ofMillis(cuts));
        }
        return new TestPool(far, near, proxy);
    }

    private static void await(Control control, String list, String verb)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (control.ask(verb).path(list).isEmpty()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("the nodes do not find each other");
            }
            Thread.sleep(20);
        }
    }

    Daemon far() {
        return far;
    }

    Daemon near() {
        return near;
    }

    Proxy proxy() {
        return proxy;
    }

    @Override
    public void close() throws IOException {
        near.close();
        proxy.close();
        far.close();
    }
}
