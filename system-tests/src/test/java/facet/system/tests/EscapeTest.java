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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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
    private static final int MANY = 8;
    private static final Duration WINDOW = Duration.ofSeconds(1);

    /** Some at a time: who breaks the protocol is waited for, which takes seconds. */
    private static final int SIDE_BY_SIDE = 3;

    private static Daemon daemon;
    private static EscapeMatrix matrix;
    private static ExecutorService workers;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        daemon = Daemon.start();
        matrix = new EscapeMatrix(Places.ROOT, daemon.directory(), WINDOW);
        workers = Executors.newFixedThreadPool(SIDE_BY_SIDE);
    }

    @AfterAll
    static void stop() throws IOException {
        workers.shutdownNow();
        daemon.close();
    }

    @TestFactory
    List<DynamicTest> memoryHolds() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Way way : wanted()) {
            if (way.kind() != Way.Kind.COMPUTE) {
                Future<Cell> one = workers.submit(() -> matrix.limited(way, 1));
                Future<Cell> many = workers.submit(() -> matrix.limited(way, MANY));
                tests.add(dynamicTest(way + ", one process", () -> holds(one.get())));
                tests.add(dynamicTest(way + ", eight processes", () -> holds(many.get())));
            }
        }
        return tests;
    }

    @TestFactory
    List<DynamicTest> withoutLimitsTheyGetPast() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Way way : wanted()) {
            if (way.kind() != Way.Kind.COMPUTE && EscapeMatrix.mustPassFree(way)) {
                Future<Cell> free = workers.submit(() -> matrix.free(way));
                tests.add(dynamicTest(way.name(), () -> passes(free.get())));
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
                // One after the other: they are measured.
                tests.add(dynamicTest(way + ", one process", () -> holds(matrix.limited(way, 1))));
                tests.add(
                        dynamicTest(
                                way + ", eight processes", () -> holds(matrix.limited(way, MANY))));
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

    private static void holds(Cell cell) {
        assertTrue(cell.isGood(), () -> cell + ": " + cell.detail());
        Assumptions.assumeFalse(
                cell.verdict() == Cell.Verdict.SKIPPED, () -> "skipped: " + cell.detail());
    }

    private static void passes(Cell cell) {
        Assumptions.assumeFalse(
                cell.verdict() == Cell.Verdict.SKIPPED, () -> "skipped: " + cell.detail());
        assertEquals(
                Cell.Verdict.PASSED,
                cell.verdict(),
                () -> "it shows nothing, since without limits: " + cell.detail());
    }
}
