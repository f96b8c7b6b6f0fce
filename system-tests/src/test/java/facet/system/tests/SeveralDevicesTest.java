package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs on a node with devices of unlike sizes. */
class SeveralDevicesTest {
    private static final String SIZES = "512M,256M,256M";

    private final Builder builder = new Builder();

    private Outcome run(Daemon daemon, String name, Map<String, String> more, String... arguments) {
        Path program = builder.driver(Program.of(Places.DRIVER.resolve(name + ".c")));
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        Map<String, String> environment =
                new HashMap<>(Slices.environment(daemon.socket().toString(), false));
        environment.putAll(more);
        return Runner.run(command, Places.BUILT, environment);
    }

    @ParameterizedTest
    @ValueSource(strings = {"shared", "process"})
    void aProgramOverTwoDevices(String isolation) throws IOException, InterruptedException {
        try (Daemon daemon = Daemon.start(SIZES, "--isolation", isolation)) {
            Outcome outcome = run(daemon, "two_devices", Map.of());
            assertEquals("ok two devices\n", outcome.output(), outcome.report());
            Outcome refused = run(daemon, "two_devices", Map.of(), "refused");
            assertEquals("ok refused\n", refused.output(), refused.report());
            Outcome boxes = run(daemon, "peer_boxes", Map.of());
            assertEquals("ok peer boxes\n", boxes.output(), boxes.report());
            for (String[] each : new String[][] {{}, {"refused"}}) {
                Outcome portable = run(daemon, "portable_memory", Map.of(), each);
                assertEquals("ok portable memory\n", portable.output(), portable.report());
            }
        }
    }

    @Test
    void theRuntimeCopiesRowsBetweenDevices() throws IOException, InterruptedException {
        assumeTrue(Tools.found().nvcc().isPresent(), "nvcc is not installed");
        Program program = Program.of(Places.PROGRAMS.resolve("peer_boxes.cu"));
        Path built =
                builder.link(
                        "peer_boxes-shared",
                        builder.object(program, Builder.PTX_ONLY),
                        Form.SHARED,
                        List.of());
        try (Daemon daemon = Daemon.start(SIZES)) {
            Outcome outcome =
                    Runner.run(
                            List.of(built.toString()),
                            Places.BUILT,
                            Slices.environment(daemon.socket().toString(), false));
            assertEquals("ok peer boxes\n", outcome.output(), outcome.report());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shared", "process"})
    void aSliceMovesBetweenTwoPrograms(String isolation) throws Exception {
        try (Daemon daemon = Daemon.start(SIZES, "--isolation", isolation)) {
            try (Control control = daemon.control()) {
                control.ask("slice-create name=train device=0");
                String socket = "/slices/train/socket";
                Map<String, String> inSlice = Map.of("FACET_SOCKET", daemon.directory() + socket);
                List<String> all = visible(daemon, Map.of());
                assertEquals(List.of(all.get(0)), visible(daemon, inSlice));
                while (control.ask("slices").at("/slices/1/sessions").asInt() > 0) {
                    Thread.sleep(5);
                }
                Outcome moved = Cli.facet(daemon, "slice", "set", "train", "--device", "2");
                assertEquals(
                        """
                        ~ train changed
                            memory  512MiB -> 256MiB
                            device  0 -> 2
                            on as it was asked for
                        """,
                        moved.output(),
                        moved::report);
                assertEquals(List.of(all.get(2)), visible(daemon, inSlice));
                String rows = Cli.facet(daemon, "slices").output();
                assertTrue(rows.lines().anyMatch(each -> each.matches("train .* 2( .*|$)")), rows);
            }
        }
    }

    @Test
    void whatIsVisibleIsWhatTheVariableSays() throws IOException, InterruptedException {
        try (Daemon daemon = Daemon.start(SIZES)) {
            List<String> all = visible(daemon, Map.of());
            assertEquals(3, all.size(), all.toString());
            assertTrue(all.getFirst().endsWith("=512"), all.toString());
            assertTrue(all.getLast().endsWith("=256"), all.toString());
            String last = all.getLast().replaceAll("=.*", "");
            assertEquals(List.of(all.get(1)), visible(daemon, "1"));
            assertEquals(List.of(all.get(2), all.get(0)), visible(daemon, "2,0"));
            assertEquals(List.of(all.get(0)), visible(daemon, "0,7,1"));
            assertEquals(List.of(all.get(1)), visible(daemon, "1,-1,0"));
            assertEquals(List.of(all.get(2)), visible(daemon, last));
            assertEquals(List.of(all.get(2)), visible(daemon, last.substring(0, 12)));
            assertEquals(all, visible(daemon, "0, 1 ,2"));
            for (String none : List.of("", "-1", "3", "0,0", "GPU-", "no", last + ",0," + last)) {
                List<String> seen = visible(daemon, none);
                List<String> expected =
                        none.startsWith(last) ? List.of(all.get(2)) : List.<String>of();
                assertEquals(expected, seen, none);
            }
        }
    }

    private List<String> visible(Daemon daemon, String value) {
        return visible(daemon, Map.of("CUDA_VISIBLE_DEVICES", value));
    }

    private List<String> visible(Daemon daemon, Map<String, String> more) {
        Outcome outcome = run(daemon, "visible_devices", more);
        String output = outcome.output().strip();
        assertTrue(output.startsWith("ok"), outcome.report());
        return output.equals("ok none") ? List.of() : List.of(output.substring(3).split(" ", -1));
    }
}
