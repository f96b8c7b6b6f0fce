package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

/** The driver programs with libraries that AddressSanitizer and UBSan watch. */
class SanitizerTest {
    private static final List<String> FLAGS = List.of("-fsanitize=address,undefined");
    private static final Path LIBRARIES = Places.NATIVE.resolve("target/sanitize/lib");

    private static Daemon daemon;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        Assumptions.assumeTrue(
                Tools.found().sanitizes(FLAGS), "skipped: the compiler has no sanitizers");
        Outcome built =
                Runner.build(
                        List.of(Places.NATIVE.resolve("build").toString(), "--sanitize"),
                        Places.NATIVE);
        assertTrue(built.ok(), built.report());
        daemon = Daemon.start();
    }

    @AfterAll
    static void stop() throws IOException {
        if (daemon != null) {
            daemon.close();
        }
    }

    @TestFactory
    List<DynamicNode> driver() {
        List<DynamicNode> tests = new ArrayList<>();
        for (Program program : Program.all(Places.DRIVER, ".c")) {
            if (!program.helper()) {
                tests.add(dynamicTest(program.name(), () -> check(program)));
            }
        }
        return tests;
    }

    private static void check(Program program) throws IOException {
        Path executable = new Builder().driver(program, FLAGS);
        try (Control control = daemon.control()) {
            Map<String, String> environment =
                    Slices.environment(
                            control.slice(Slices.name(program.name()), Slices.MEMORY), false);
            environment.put("LD_LIBRARY_PATH", LIBRARIES.toString());
            // What a program that ends still has is not lost.
            environment.put("ASAN_OPTIONS", "detect_leaks=0");
            Outcome outcome = Runner.run(List.of(executable.toString()), Places.BUILT, environment);
            assertEquals(0, outcome.status(), outcome.report());
            assertTrue(!outcome.errors().contains("runtime error"), outcome.report());
        }
    }
}
