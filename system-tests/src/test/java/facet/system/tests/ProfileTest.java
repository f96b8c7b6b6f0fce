package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code facet up --profile}: what programs see of a device is what was chosen. */
class ProfileTest {
    private final Builder builder = new Builder();

    private String seen(Daemon daemon, Map<String, String> more) {
        Path program = builder.driver(Program.of(Places.DRIVER.resolve("profile.c")));
        Map<String, String> environment =
                new java.util.HashMap<>(Slices.environment(daemon.socket().toString(), false));
        environment.putAll(more);
        Outcome outcome = Runner.run(List.of(program.toString()), Places.BUILT, environment);
        assertEquals(0, outcome.status(), outcome.report());
        return outcome.output().strip();
    }

    @ParameterizedTest
    @CsvSource({
        "7.5, 75 64 1024, shared",
        "8.0, 80 163 2048, shared",
        "9.0, 90 227 2048, process",
        "12.0, 120 99 1536, shared"
    })
    void programsSeeIt(String profile, String expected, String isolation)
            throws IOException, InterruptedException {
        try (Daemon daemon = Daemon.start("256M", "--profile", profile, "--isolation", isolation)) {
            assertEquals(
                    expected + " Facet Software GPU (compute capability " + profile + ")",
                    seen(daemon, Map.of()));
            try (Control control = daemon.control()) {
                JsonNode device = control.ask("devices").at("/devices/0");
                assertEquals(profile, device.path("computeCapability").asText());
            }
        }
    }

    @Test
    void allOfSeveralDevicesHaveIt() throws IOException, InterruptedException {
        try (Daemon daemon = Daemon.start("256M,128M", "--profile", "9.0", "--name", "Nine")) {
            assertEquals("90 227 2048 Nine", seen(daemon, Map.of("CUDA_VISIBLE_DEVICES", "1")));
            try (Control control = daemon.control()) {
                for (JsonNode each : control.ask("devices").path("devices")) {
                    assertEquals("9.0", each.path("computeCapability").asText());
                }
            }
        }
    }
}
