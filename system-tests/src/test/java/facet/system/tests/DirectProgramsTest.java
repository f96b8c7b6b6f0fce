package facet.system.tests;

import facet.system.tests.DirectPrograms.Launches;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

/** Every program through the direct engine. */
@SuppressWarnings("NullAway.Init") // begins before all tests
class DirectProgramsTest {
    private static DirectPrograms programs;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        programs = new DirectPrograms();
    }

    @AfterAll
    static void stop() throws IOException {
        programs.close();
    }

    /** With the runtime in a library of its own, and inside; then all launches come in parts. */
    @TestFactory
    List<DynamicNode> cuda() {
        return programs.cuda(
                _ -> true, Map.of(Form.SHARED, Launches.USUAL, Form.STATIC, Launches.PARTS));
    }

    @TestFactory
    List<DynamicNode> driver() {
        return programs.driver(_ -> true, Launches.USUAL);
    }
}
