package facet.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.Claim;
import facet.abi.Result;
import facet.doors.control.Change;
import facet.doors.control.ControlException;
import facet.node.server.TestClient;
import facet.slices.Setting;
import facet.slices.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** A daemon with devices of unlike sizes. */
@Timeout(300)
@SuppressWarnings("try") // closing may be interrupted
class DevicesTest {
    private static final String[] TWO = {"--devices", "256M,128M"};
    private static final long MIB = 1 << 20;

    @TempDir Path folder;

    private static Settings settings(Object... pairs) {
        Map<Setting, String> values = new java.util.EnumMap<>(Setting.class);
        for (int i = 0; i < pairs.length; i += 2) {
            values.put((Setting) pairs[i], (String) pairs[i + 1]);
        }
        return new Settings(values);
    }

    private static String refusal(Executable action) {
        return String.valueOf(assertThrows(ControlException.class, action).getMessage());
    }

    private static Object of(Daemon daemon, String slice, String field) {
        return Objects.requireNonNull(
                daemon.slices().stream()
                        .filter(each -> slice.equals(each.get("name")))
                        .findFirst()
                        .orElseThrow()
                        .get(field));
    }

    private static List<?> on(Daemon daemon, String slice) {
        return (List<?>) of(daemon, slice, "onDevices");
    }

    @Test
    void slicesAreSpreadAndSayWhereAndWhy() throws Exception {
        try (TestDaemon test = new TestDaemon(folder, TWO)) {
            Daemon daemon = test.daemon();
            assertEquals(List.of(0, 1), on(daemon, "default"));
            Change first = daemon.keep("first", settings(Setting.MEMORY, "96MiB"));
            assertEquals(
                    "least promised: device 0: memory 38%, time 0% (not device 1: memory 75%, time"
                            + " 0%)",
                    first.placement().orElseThrow());
            assertTrue(first.words().contains("device 0"), first.words());
            daemon.keep("second", settings(Setting.MEMORY, "96MiB"));
            assertEquals(List.of(1), on(daemon, "second"));
            daemon.keep("named", settings(Setting.DEVICE, "1", Setting.COMPUTE, "60"));
            assertEquals(List.of(1), on(daemon, "named"));
            assertEquals(128 * MIB, of(daemon, "named", "memory"));
            daemon.keep("both", settings(Setting.DEVICES, "2", Setting.MEMORY, "1MiB"));
            assertEquals(List.of(0, 1), on(daemon, "both"));
            // What is promised of one device says nothing about the other.
            daemon.keep("other", settings(Setting.COMPUTE, "90"));
            assertEquals(List.of(0), on(daemon, "other"));
            String refused = refusal(() -> daemon.keep("more", settings(Setting.COMPUTE, "50")));
            assertTrue(refused.contains("140% of device 0 would be promised: other 90%"), refused);
            assertTrue(refused.contains("110% of device 1 would be promised: named 60%"), refused);
        }
    }

    @Test
    void aSliceThatIsThereStaysWhereItIs() throws Exception {
        try (TestDaemon test = new TestDaemon(folder, TWO)) {
            Daemon daemon = test.daemon();
            daemon.keep("one", settings(Setting.DEVICE, "1", Setting.MEMORY, "16MiB"));
            daemon.change("one", settings(Setting.MEMORY, "100MiB"));
            assertEquals(List.of(1), on(daemon, "one"));
            assertEquals(100 * MIB, of(daemon, "one", "memory"));
            String large = refusal(() -> daemon.change("one", settings(Setting.MEMORY, "200MiB")));
            assertTrue(large.endsWith("device 1 has 128MiB"), large);
            // It may have been put there by somebody: who does not say where means there.
            daemon.apply("slices:\n- name: one\n  memory: 90MiB\n", false, false, false);
            assertEquals(List.of(1), on(daemon, "one"));
        }
    }

    @Test
    void theNextDaemonPutsThemWhereTheySaid() throws Exception {
        try (TestDaemon test = new TestDaemon(folder, TWO)) {
            test.daemon().keep("any", settings(Setting.MEMORY, "16MiB"));
            test.daemon().keep("small", settings(Setting.DEVICE, "1", Setting.MEMORY, "16MiB"));
            test.daemon().keep("both", settings(Setting.DEVICE, "1,0"));
        }
        try (TestDaemon test = new TestDaemon(folder, TWO)) {
            assertEquals(List.of(1), on(test.daemon(), "small"));
            assertEquals(List.of(0, 1), on(test.daemon(), "both"));
            assertEquals(256 * MIB, of(test.daemon(), "both", "memory"));
            Path state = folder.resolve("state/slices.yaml");
            assertTrue(Files.readString(state).contains("device: \"0,1\""));
            List<Change> changes =
                    test.daemon().apply(Files.readString(state), false, false, false);
            assertTrue(
                    changes.stream().allMatch(each -> each.action() == Change.Action.UNCHANGED),
                    changes.toString());
        }
    }

    @Test
    void eachDeviceHasItsQuota() throws Exception {
        try (TestDaemon test = new TestDaemon(folder, TWO)) {
            try (TestClient client = new TestClient(test.socket())) {
                assertEquals(Result.SUCCESS, client.createContext(1).result());
                assertEquals(256 * MIB, client.limit());
                // Of the smaller one no more than it has.
                assertEquals(
                        Result.ERROR_OUT_OF_MEMORY, client.call(new Claim(129 * MIB)).result());
                assertEquals(Result.SUCCESS, client.call(new Claim(127 * MIB)).result());
                assertEquals(127 * MIB, client.claimed());
            }
            try (TestClient client = new TestClient(test.socket())) {
                assertEquals(Result.SUCCESS, client.createContext(0).result());
                assertEquals(Result.SUCCESS, client.call(new Claim(200 * MIB)).result());
            }
            try (TestClient client = new TestClient(test.socket())) {
                client.createContext(1);
                client.allocate(0, 200 * MIB);
                assertTrue(client.isEnded(), "it has more than the device");
            }
        }
    }

    @Test
    void whatIsUsedCountsForItsDevice() throws Exception {
        try (TestDaemon test = new TestDaemon(folder, TWO)) {
            Daemon daemon = test.daemon();
            daemon.keep("small", settings(Setting.DEVICE, "1"));
            Path socket = Path.of((String) of(daemon, "small", "socket"));
            try (TestClient client = new TestClient(socket)) {
                client.createContext(0);
                client.allocate(0, MIB);
                client.synchronize(0);
                assertEquals(
                        List.of(0L, MIB),
                        daemon.devices().stream().map(each -> each.get("used")).toList());
                String metrics = test.get("/metrics").body();
                String line = "facet_slice_memory_used_bytes{device=\"1\",slice=\"small\"} 1048576";
                assertTrue(metrics.contains(line), metrics);
            }
        }
    }
}
