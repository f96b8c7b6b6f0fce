package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.system.tests.DirectPrograms.Launches;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Programs whose launches all come in parts: they give what they give otherwise. -Dranges=all runs
 * every program in every form so.
 */
@SuppressWarnings("NullAway.Init") // begins before all tests
class DirectRangesTest {
    private static final boolean ALL = "all".equals(System.getProperty("ranges"));

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

    private static DirectPrograms programs;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        programs = new DirectPrograms();
    }

    @AfterAll
    static void stop() throws IOException {
        programs.close();
    }

    @TestFactory
    List<DynamicNode> driver() {
        return programs.driver(program -> ALL || DRIVER.contains(program.name()), Launches.PARTS);
    }

    /** Others wait for these to their end, and people can see why. */
    @Test
    void whatComesWholeIsToldWithItsReason() throws IOException {
        Map<String, Integer> before = programs.counts("whole");
        Outcome outcome = programs.run("whole");
        assertTrue(outcome.ok(), outcome.report());
        Map<String, Integer> more = programs.counts("whole");
        before.forEach((name, count) -> more.merge(name, -count, Integer::sum));
        for (String told :
                List.of(
                        "(code) machine code, without PTX",
                        "(code) a file that the driver loads by its name",
                        "(launches) graphs",
                        "(launches) cooperative",
                        "(launches) with clusters or other attributes of a whole launch")) {
            assertEquals(1, more.get(told), told + ": " + more);
        }
        assertTrue(more.keySet().stream().anyMatch(each -> each.startsWith("odd: ")), more + "");
    }

    /** DirectProgramsTest has the static runtime. */
    @TestFactory
    List<DynamicNode> cuda() {
        return programs.cuda(
                program -> ALL || CUDA.contains(program.name()),
                ALL
                        ? Map.of(Form.SHARED, Launches.PARTS, Form.STATIC, Launches.PARTS)
                        : Map.of(Form.SHARED, Launches.PARTS));
    }
}
