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
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The escape matrix: nothing gets more memory than its slice has, from one process or from eight;
 * and the same programs do where nothing limits them. {@code -Dways=pitch,heap} tries only those.
 *
 * <p>All is tried in the daemon, where one wall is all there is; what runs, compiles or reaches out
 * of its memory, and a sample of the rest, in a process for each slice too.
 */
@SuppressWarnings("NullAway.Init") // JUnit fills in the parameter, and begins before all tests
@ParameterizedClass(name = "isolation {0}")
@ValueSource(strings = {"shared", "process"})
class EscapeTest {
    private static final int MANY = 8;

    /** One of so many ways. */
    private static final int SAMPLE = 10;

    private static final int ATTEMPTS = 3;
    private static final Duration WINDOW = Duration.ofSeconds(1);

    /** Some at a time: who breaks the protocol is waited for, which takes seconds. */
    private static final int SIDE_BY_SIDE = 3;

    private static Daemon daemon;
    private static EscapeMatrix matrix;
    private static ExecutorService workers;

    @Parameter String isolation;

    @BeforeParameterizedClassInvocation
    static void start(String isolation) throws IOException, InterruptedException {
        // Several at a time are promised a gigabyte each; some ways are for a device with clusters.
        daemon = Daemon.start("8G", "--profile", "9.0", "--isolation", isolation);
        matrix = new EscapeMatrix(Places.ROOT, daemon.directory(), WINDOW);
        workers = Executors.newFixedThreadPool(SIDE_BY_SIDE);
    }

    @AfterParameterizedClassInvocation
    static void stop() throws IOException {
        workers.shutdownNow();
        daemon.close();
    }

    @TestFactory
    List<DynamicTest> memoryHolds() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Way way : wanted()) {
            if (way.takesMemory() && isTriedHere(way)) {
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
            if (way.takesMemory() && EscapeMatrix.mustPassFree(way) && isTriedHere(way)) {
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
            if (way.kind() == Way.Kind.COMPUTE
                    && isTriedHere(way)
                    && (named || sample.contains(way.name()))) {
                // One after the other: they are measured.
                tests.add(dynamicTest(way + ", one process", () -> holds(matrix.limited(way, 1))));
                tests.add(
                        dynamicTest(
                                way + ", eight processes", () -> holds(matrix.limited(way, MANY))));
            }
        }
        return tests;
    }

    /** One after the other: what is left of one is counted in threads and time. */
    @TestFactory
    List<DynamicTest> whatIsKilledIsGone() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Way way : wanted()) {
            if (way.kind() == Way.Kind.ENDLESS || way.kind() == Way.Kind.COMPILE) {
                tests.add(dynamicTest(way + ", killed", () -> holds(soon(way))));
                tests.add(dynamicTest(way + ", left alone", () -> passes(matrix.free(way))));
            }
        }
        return tests;
    }

    /** The bound is one of time; somebody else may have had the machine for longer than that. */
    private static Cell soon(Way way) throws IOException, InterruptedException {
        Cell cell = matrix.limited(way, 2);
        for (int i = 1; i < ATTEMPTS && !cell.isGood(); i++) {
            System.out.println(way + ": " + cell.detail());
            cell = matrix.limited(way, 2);
        }
        return cell;
    }

    @TestFactory
    List<DynamicTest> nothingReachesOtherSlices() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Way way : wanted()) {
            if (way.kind() == Way.Kind.ACROSS) {
                Future<Cell> elsewhere = workers.submit(() -> matrix.limited(way, 1));
                Future<Cell> own = workers.submit(() -> matrix.free(way));
                tests.add(dynamicTest(way + ", of others", () -> holds(elsewhere.get())));
                tests.add(dynamicTest(way + ", of its own", () -> passes(own.get())));
            }
        }
        return tests;
    }

    /**
     * Each slice has to wait for a worker of its own where it has one: there it is a sample. {@code
     * ./facet bench isolation --isolation process} tries them all, and so does who names them.
     */
    private boolean isTriedHere(Way way) {
        return isolation.equals("shared")
                || way.kind() == Way.Kind.DAEMON
                || way.kind() == Way.Kind.INHERITED
                || Math.floorMod(way.name().hashCode(), SAMPLE) == 0
                || !System.getProperty("ways", "").isEmpty();
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
