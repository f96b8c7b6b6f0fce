package facet.system.tests;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

/** Programs whose launches all come in parts: they give what they give otherwise. */
@SuppressWarnings("NullAway.Init") // begins before all tests
class DirectRangesTest {
    /** Those that launch in different ways, and look at what they launch. */
    private static final Set<String> DRIVER =
            Set.of("graphs", "launch", "library", "modules", "ranges", "streams", "vector_add");

    private static final Set<String> CUDA =
            Set.of(
                    "compaction",
                    "dynamic_shared",
                    "function_attributes",
                    "function_pointers",
                    "kernel_arguments",
                    "launch_extended",
                    "mandelbrot");

    private static DirectEngine engine;

    private final Builder builder = new Builder();

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        engine = DirectEngine.start("2G");
    }

    @AfterAll
    static void stop() throws IOException {
        engine.close();
    }

    @TestFactory
    List<DynamicNode> driver() {
        List<DynamicNode> tests = new ArrayList<>();
        for (Program program : Program.all(Places.DRIVER, ".c")) {
            if (DRIVER.contains(program.name())) {
                tests.add(
                        dynamicTest(
                                program.name(),
                                () -> slices().check(program, builder.driver(program), false)));
            }
        }
        return tests;
    }

    @TestFactory
    List<DynamicNode> cuda() {
        Tools.assumedNvcc();
        List<DynamicNode> tests = new ArrayList<>();
        for (Program program : Program.all(Places.PROGRAMS, ".cu")) {
            if (!CUDA.contains(program.name())) {
                continue;
            }
            for (Form form : program.forms()) {
                if (form != Form.DRIVER) {
                    tests.add(
                            dynamicTest(
                                    program.name() + " " + form.word(), () -> run(program, form)));
                }
            }
        }
        return tests;
    }

    private void run(Program program, Form form) throws IOException {
        slices().check(
                        program,
                        builder.link(
                                program.name() + "." + form.word(),
                                builder.object(program, Builder.PTX_ONLY),
                                form,
                                List.of()),
                        form == Form.STATIC);
    }

    private static Slices slices() {
        return new Slices(engine.upper(), Control::directSlice, DirectRangesTest::environment);
    }

    private static Map<String, String> environment(String socket, boolean preload) {
        Map<String, String> environment = new HashMap<>(engine.environment(socket, preload));
        environment.put("FACET_RANGES", "always");
        return environment;
    }
}
