package facet.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.ContextSynchronize;
import facet.abi.Result;
import facet.node.server.Kernels;
import facet.node.server.TestClient;
import facet.slices.Setting;
import facet.slices.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** For tests of daemons that form a pool on loopback. */
abstract class PoolDaemons {
    static final Optional<String> ANYWHERE = Optional.of("127.0.0.1:0");
    static final String OFF = "off";

    @TempDir Path folder = Path.of("/nowhere");

    final List<TestDaemon> daemons = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (TestDaemon each : daemons.reversed()) {
            each.close();
        }
    }

    TestDaemon daemon(String name, String... more) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("--isolation", "shared"));
        arguments.addAll(List.of(more));
        TestDaemon daemon = new TestDaemon(folder.resolve(name), arguments.toArray(String[]::new));
        daemons.add(daemon);
        return daemon;
    }

    /** A node with a device that has made a pool. */
    TestDaemon far(String... more) throws Exception {
        TestDaemon far = daemon("far", more);
        Map<String, Object> made = far.daemon().makePool(ANYWHERE, Optional.of("far"));
        Path token = Path.of(String.valueOf(made.get("tokenFile")));
        assertEquals(
                "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(token)));
        return far;
    }

    String token() throws Exception {
        return Files.readString(folder.resolve("far/state/pool-token")).strip();
    }

    static String address(TestDaemon daemon) {
        return String.valueOf(daemon.daemon().pool().get("listens"));
    }

    TestDaemon join(TestDaemon daemon, String name, TestDaemon seed, String listen)
            throws Exception {
        daemon.daemon()
                .joinPool(List.of(address(seed)), token(), Optional.of(listen), Optional.of(name));
        return daemon;
    }

    /** A node without a device, in the pool of another one. */
    TestDaemon near(TestDaemon far) throws Exception {
        TestDaemon near = join(daemon("near", "--devices", "0"), "near", far, OFF);
        await(() -> near.daemon().elsewhere().size() == 1, "the other's device is known");
        return near;
    }

    static void await(Callable<Boolean> condition, String what) throws Exception {
        long end = System.nanoTime() + 60_000_000_000L;
        while (!condition.call()) {
            assertTrue(System.nanoTime() < end, what);
            Thread.sleep(10);
        }
    }

    static Settings settings(Object... pairs) {
        Map<Setting, String> values = new EnumMap<>(Setting.class);
        for (int i = 0; i < pairs.length; i += 2) {
            values.put((Setting) pairs[i], String.valueOf(pairs[i + 1]));
        }
        return new Settings(values);
    }

    @SuppressWarnings("unchecked")
    static List<Map<String, Object>> nodes(TestDaemon daemon) {
        return (List<Map<String, Object>>) daemon.daemon().pool().getOrDefault("nodes", List.of());
    }

    static Map<String, Object> slice(TestDaemon daemon, String name) {
        return daemon.daemon().slices().stream()
                .filter(each -> Objects.equals(each.get("name"), name))
                .findFirst()
                .orElse(Map.of());
    }

    static Path socket(TestDaemon daemon, String slice) {
        return Path.of(String.valueOf(slice(daemon, slice).get("socket")));
    }

    static void runProgram(Path socket) throws Exception {
        try (TestClient client = new TestClient(socket)) {
            assertEquals(Result.SUCCESS, client.createContext().result());
            long cells = client.allocate(4096, 4096);
            assertEquals(Result.SUCCESS, client.load(0, Kernels.ADD).result());
            client.set(4096, 5);
            for (int i = 0; i < 100; i++) {
                client.launch(0, 0, 4, 256, cells, 1000, 3);
            }
            assertEquals(Result.SUCCESS, client.call(new ContextSynchronize()).result());
            assertEquals(305, client.get(4096));
        }
    }
}
