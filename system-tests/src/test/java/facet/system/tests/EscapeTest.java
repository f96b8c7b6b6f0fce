package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import facet.bench.escape.Cell;
import facet.bench.escape.EscapeMatrix;
import facet.bench.escape.Way;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The escape matrix: nothing gets more memory than its slice has, from one process or from eight;
 * and the same programs do where nothing limits them. {@code -Dways=pitch,heap} tries only those.
 */
class EscapeTest {
    /** Known, and to be closed. */
    private static final Set<String> OPEN = Set.of();

    private static final int MANY = 8;
    private static final Duration WINDOW = Duration.ofMillis(1000);

    private static Daemon daemon;
    private static EscapeMatrix matrix;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        daemon = Daemon.start();
        matrix = new EscapeMatrix(Places.ROOT, daemon.directory(), WINDOW);
    }

    @AfterAll
    static void stop() throws IOException {
        daemon.close();
    }

    @TestFactory
    List<DynamicTest> memoryHolds() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Way way : wanted()) {
            if (way.kind() != Way.Kind.COMPUTE) {
                tests.add(dynamicTest(way + ", one process", () -> holds(way, 1)));
                tests.add(dynamicTest(way + ", eight processes", () -> holds(way, MANY)));
            }
        }
        return tests;
    }

    @TestFactory
    List<DynamicTest> withoutLimitsTheyGetPast() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Way way : wanted()) {
            if (way.kind() != Way.Kind.COMPUTE && EscapeMatrix.mustPassFree(way)) {
                tests.add(dynamicTest(way.name(), () -> passes(way)));
            }
        }
        return tests;
    }

    /**
     * A sample of the ways: each takes its time. {@code ./facet bench isolation} tries them all.
     */
    @TestFactory
    List<DynamicTest> sharesHold() throws IOException {
        Set<String> sample = Set.of("launch", "launch-streams", "launch-huge", "copies");
        List<DynamicTest> tests = new ArrayList<>();
        for (Way way : wanted()) {
            boolean named = !System.getProperty("ways", "").isEmpty();
            if (way.kind() == Way.Kind.COMPUTE && (named || sample.contains(way.name()))) {
                tests.add(dynamicTest(way + ", one process", () -> holds(way, 1)));
                tests.add(dynamicTest(way + ", eight processes", () -> holds(way, MANY)));
            }
        }
        return tests;
    }

    private static List<Way> wanted() throws IOException {
        String only = System.getProperty("ways", "");
        Set<String> names = Set.of(only.split(","));
        return matrix.ways().stream()
                .filter(each -> only.isEmpty() || names.contains(each.name()))
                .toList();
    }

    private static void holds(Way way, int processes) throws IOException, InterruptedException {
        long mark = daemon.mark();
        Cell cell = matrix.limited(way, processes);
        Assumptions.assumeTrue(
                cell.isGood() || !OPEN.contains(way.name()), () -> "known: " + cell.detail());
        assertTrue(
                cell.isGood(),
                () -> cell + ": " + cell.detail() + "\n--- the daemon's log\n" + log(mark));
        Assumptions.assumeFalse(
                cell.verdict() == Cell.Verdict.SKIPPED, () -> "skipped: " + cell.detail());
    }

    private static void passes(Way way) throws IOException, InterruptedException {
        Cell cell = matrix.free(way);
        Assumptions.assumeFalse(
                cell.verdict() == Cell.Verdict.SKIPPED, () -> "skipped: " + cell.detail());
        assertEquals(
                Cell.Verdict.PASSED,
                cell.verdict(),
                () -> "it shows nothing, since without limits: " + cell.detail());
    }

    private static String log(long mark) {
        try {
            return daemon.logSince(mark);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
