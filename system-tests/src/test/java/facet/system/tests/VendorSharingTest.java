package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several slices on one device behind a driver, which is Facet's own. */
@SuppressWarnings("NullAway.Init") // JUnit begins before all tests
class VendorSharingTest {
    private static Daemon lower;
    private static Daemon upper;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        lower = Daemon.start("2G", "--http", "off");
        upper = Daemon.startOnVendor(lower.socket().toRealPath(), "--http", "off");
    }

    @AfterAll
    static void stop() throws IOException {
        upper.close();
        lower.close();
    }

    private static List<JsonNode> tried(String... what) throws IOException {
        Outcome outcome =
                Cli.facet(
                        upper,
                        "selftest",
                        "--only",
                        String.join(",", what),
                        "--seconds",
                        "4",
                        "-o",
                        "json");
        JsonNode promises = new ObjectMapper().readTree(outcome.output()).path("promises");
        return promises.valueStream().toList();
    }

    @Test
    void limitsAndFaults() throws IOException {
        List<JsonNode> promises = tried("quota", "faults");
        assertEquals(5, promises.size(), promises.toString());
        for (JsonNode each : promises) {
            assertEquals("HELD", each.path("verdict").asText(), each.toString());
        }
    }

    /**
     * 70 and 30 %, in device time. How near that is, is measured on a quiet machine; here it must
     * not be the half that each would have by itself.
     */
    @Test
    void sharesAreFollowed() throws IOException {
        JsonNode first = tried("shares").getFirst();
        double percent = Double.parseDouble(first.path("measured").asText().replace(" %", ""));
        assertTrue(percent > 55 && percent < 85, first.toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "policy=fixed compute=30",
                "policy=burst compute=30",
                "policy=priority priority=5",
                "policy=time-slice compute=30 turn=5ms",
                "policy=tidal compute=10 calendar=daily%2000:00-12:00%2030"
            })
    void programsRunUnderEachPolicy(String policy) throws IOException {
        Path program = new Builder().driver(Program.of(Places.DRIVER.resolve("vector_add.c")));
        try (Control control = upper.control()) {
            String socket = control.slice(Slices.name("policy"), "128M " + policy);
            Outcome outcome =
                    Runner.run(
                            List.of(program.toString()),
                            Places.BUILT,
                            Slices.environment(socket, false));
            assertTrue(outcome.ok(), outcome.report());
        }
    }
}
