package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the vendor's compiler makes for real GPUs, in a slice and outside of one. */
@SuppressWarnings("NullAway.Init") // JUnit begins before all tests
class CompilersTest {
    private static Daemon daemon;
    private static Path load;

    @TempDir private Path folder = Path.of("/nowhere");

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        Tools.assumedNvcc();
        daemon = Daemon.start("1G");
        load = new Builder().driver(Program.of(Places.DRIVER.resolve("load_cubin.c")));
    }

    @AfterAll
    static void stop() throws IOException {
        if (daemon != null) {
            daemon.close();
        }
    }

    @Test
    void machineCodeThatWasCompiledInASliceRunsThere() throws IOException {
        try (Control control = daemon.control()) {
            String socket = control.slice(Slices.name("compiler"), Slices.MEMORY);
            Path cubin = compile(socket, true, "-cubin");
            Outcome outcome = run(socket, cubin);
            assertTrue(outcome.ok(), outcome.report());
            assertEquals("ok\n", outcome.output(), outcome.report());
        }
    }

    @Test
    void codeThatIsLinkedLaterStaysAsItIs() throws IOException {
        try (Control control = daemon.control()) {
            String socket = control.slice(Slices.name("compiler"), Slices.MEMORY);
            byte[] inside = Files.readAllBytes(compile(socket, true, "-cubin", "-rdc=true"));
            byte[] outside = Files.readAllBytes(compile(socket, false, "-cubin", "-rdc=true"));
            assertEquals(outside.length, inside.length);
        }
    }

    @Test
    void machineCodeFromElsewhereDoesNotRun() throws IOException {
        try (Control control = daemon.control()) {
            String socket = control.slice(Slices.name("compiler"), Slices.MEMORY);
            Outcome outcome = run(socket, compile(socket, false, "-cubin"));
            assertNotEquals(0, outcome.status(), outcome.report());
            assertTrue(
                    outcome.errors().contains("machine code of kernel twice without its PTX"),
                    outcome.report());
        }
    }

    private Path compile(String socket, boolean inSlice, String... flags) throws IOException {
        Path source = folder.resolve("twice.cu");
        Path cubin = folder.resolve(inSlice ? "inside.cubin" : "outside.cubin");
        Files.writeString(
                source, "extern \"C\" __global__ void twice(float *x) { x[threadIdx.x] *= 2; }\n");
        List<String> command = new ArrayList<>(List.of(Tools.assumedNvcc().toString()));
        command.addAll(List.of(flags));
        command.addAll(List.of("-arch", "sm_75", "-o", cubin.toString(), source.toString()));
        Outcome outcome = Runner.run(command, folder, Slices.environment(socket, inSlice), 300);
        assertTrue(outcome.ok(), outcome.report());
        return cubin;
    }

    private static Outcome run(String socket, Path cubin) {
        List<String> command = List.of(load.toString(), cubin.toString());
        return Runner.run(command, Places.BUILT, Slices.environment(socket, true));
    }
}
