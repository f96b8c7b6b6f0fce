package facet.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which compute capability the devices of a daemon have. */
@Timeout(300)
@SuppressWarnings("try") // closing may be interrupted
class ProfileTest {
    @TempDir private Path folder = Path.of("/nowhere");

    @Test
    void allDevicesHaveTheOneThatWasChosen() throws Exception {
        try (TestDaemon daemon =
                new TestDaemon(folder, "--devices", "256M,128M", "--profile", "12.0")) {
            for (Map<String, Object> each : daemon.daemon().devices()) {
                assertEquals("12.0", each.get("computeCapability"));
                assertEquals("Facet Software GPU (compute capability 12.0)", each.get("name"));
            }
            assertEquals("12.0", daemon.daemon().status().get("computeCapability"));
        }
    }

    @Test
    void whoChoosesNoneHasTheUsualOneAndItsName() throws Exception {
        try (TestDaemon daemon = new TestDaemon(folder)) {
            Map<String, Object> device = daemon.daemon().devices().getFirst();
            assertEquals("8.9", device.get("computeCapability"));
            assertEquals("Facet Software GPU", device.get("name"));
        }
    }

    @Test
    void anotherOneIsRefusedWithThoseThatThereAre() throws Exception {
        for (String wrong : new String[] {"6.1", "8", "", "ninety", "8.9.0"}) {
            Options options = Options.parse(new String[] {"--profile=" + wrong});
            Options.Wrong refusal =
                    assertThrows(
                            Options.Wrong.class,
                            () -> options.checkProfile(Facetd.MAINS.devices().capabilities()),
                            wrong);
            assertEquals(
                    "--profile is 7.5, 8.0, 8.9, 9.0, 12.0, not '" + wrong + "'",
                    refusal.getMessage());
        }
    }
}
