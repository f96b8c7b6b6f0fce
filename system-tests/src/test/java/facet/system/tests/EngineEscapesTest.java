package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import facet.bench.escape.Cell;
import facet.bench.escape.EscapeMatrix;
import facet.bench.escape.Means;
import facet.bench.escape.Way;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The escape matrix on a vendor's driver, by both engines: in the program (direct), and in the
 * slice's worker (forwarded). The driver is Facet's own on a second daemon.
 *
 * <p>Some of the ways; {@code -Dways=all} tries all, {@code -Dways=pitch,heap} these, {@code
 * -Dengine=direct} by one engine, and {@code -Dcells=FILE} writes what came of each. Ways that an
 * engine does not hold are in {@code bench/escape/engines.table}, with the reason; one that is
 * listed there and holds is wrong too.
 */
@SuppressWarnings("NullAway.Init") // JUnit fills in the parameter, and begins before all tests
@ParameterizedClass(name = "engine {0}")
@ValueSource(strings = {"direct", "forwarded"})
class EngineEscapesTest {
    /** Some that do not take long. */
    private static final Set<String> USUAL =
            Set.of(
                    "pitch",
                    "module-container",
                    "limits-huge",
                    "cudaMalloc3D-huge",
                    "graph-memory",
                    "graph-upload");

    /** Likewise: what an engine in the program does not hold, and what it holds in its own way. */
    private static final Set<String> USUAL_DIRECT =
            Set.of("heap", "array-mipmapped", "local-memory", "no-environment");

    private static final int ATTEMPTS = 3;
    private static final Duration WINDOW = Duration.ofSeconds(1);

    @TempDir private static Path written = Path.of("/nowhere");

    private static Daemon lower;
    private static Daemon upper;
    private static EscapeMatrix matrix;

    @Parameter String engine;

    @BeforeParameterizedClassInvocation
    static void start(String engine) throws IOException, InterruptedException {
        lower = Daemon.start("8G", "--http", "off", "--profile", "9.0");
        Path driver = lower.socket().toRealPath();
        upper = Daemon.startOnVendor(driver, "--http", "off");
        Means means = Means.vendor();
        if (engine.equals("direct")) {
            DirectEngine.write(Places.library("libcuda.so.1"), written);
            DirectEngine.write(
                    Places.library("libnvidia-ml.so.1"),
                    written.resolve("libfacet-management.so.1"),
                    written);
            means = Means.direct(Places.ROOT, written, driver);
        }
        matrix = new EscapeMatrix(Places.ROOT, upper.directory(), WINDOW, means);
    }

    @AfterParameterizedClassInvocation
    static void stop() throws IOException {
        upper.close();
        lower.close();
    }

    @TestFactory
    List<DynamicTest> waysAreHeldOrNamed() throws IOException {
        UnheldWays unheld = UnheldWays.read();
        List<DynamicTest> tests = new ArrayList<>();
        if (!System.getProperty("engine", engine).equals(engine)) {
            return tests;
        }
        for (Way way : wanted()) {
            tests.add(dynamicTest(way.name(), () -> check(way, unheld.of(engine, way.name()))));
        }
        return tests;
    }

    private void check(Way way, Optional<UnheldWays.Unheld> unheld)
            throws IOException, InterruptedException {
        Cell cell = tried(way, unheld.isEmpty());
        write(way, cell);
        Assumptions.assumeFalse(
                cell.verdict() == Cell.Verdict.SKIPPED, () -> "skipped: " + cell.detail());
        if (unheld.isEmpty()) {
            assertTrue(cell.isGood(), () -> cell + ": " + cell.detail());
        } else if (unheld.get().always()) {
            assertFalse(
                    cell.isGood(), () -> "it holds now: take it out of bench/escape/engines.table");
        }
    }

    /** Bounds of time may be missed because somebody else has the machine. */
    private static Cell tried(Way way, boolean holds) throws IOException, InterruptedException {
        Cell cell = matrix.limited(way, 2);
        for (int i = 1; i < ATTEMPTS && holds && !way.takesMemory() && !cell.isGood(); i++) {
            System.out.println(way + ": " + cell.detail());
            cell = matrix.limited(way, 2);
        }
        return cell;
    }

    private void write(Way way, Cell cell) throws IOException {
        String file = System.getProperty("cells", "");
        if (!file.isEmpty()) {
            Files.writeString(
                    Path.of(file),
                    "%s\t%s\t%s\t%s\t%s%n".formatted(engine, way, way.kind(), cell, cell.detail()),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        }
    }

    private List<Way> wanted() throws IOException {
        String only = System.getProperty("ways", "");
        Set<String> names = new HashSet<>(only.isEmpty() ? USUAL : Set.of(only.split(",")));
        if (only.isEmpty() && engine.equals("direct")) {
            names.addAll(USUAL_DIRECT);
        }
        return matrix.ways().stream()
                .filter(each -> only.equals("all") || names.contains(each.name()))
                .toList();
    }
}
