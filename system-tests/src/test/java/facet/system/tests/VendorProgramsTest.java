package facet.system.tests;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

/**
 * Programs on a vendor's driver. The driver is Facet's own on the software GPU of a second daemon:
 * what passes here calls a driver as its interface says.
 */
@SuppressWarnings("NullAway.Init") // JUnit begins before all tests
class VendorProgramsTest {
    /**
     * Those that want what a driver does otherwise, and what that is; docs/vendor.md has it too.
     */
    private static final Map<String, String> OTHERWISE =
            Map.of(
                    "out_of_bounds", "memory comes in granules of 2 MiB, and ends with them",
                    "sticky", "a fault is one of all contexts of the slice",
                    "sticky_misaligned",
                            "who begins before the faulty one has gone shares its fault",
                    "sticky_texture", "after a fault a program has to begin anew",
                    "exact_memory", "a kernel that calls malloc is refused where there is no heap",
                    "link", "it is the driver that refuses what is not linked");

    private static Daemon lower;
    private static Daemon upper;
    private static ExecutorService compilers;

    private final Builder builder = new Builder();

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        lower = Daemon.start("4G");
        upper = Daemon.startOnVendor(lower.socket().toRealPath());
        compilers = Executors.newFixedThreadPool(2);
    }

    @AfterAll
    static void stop() throws IOException {
        compilers.shutdownNow();
        upper.close();
        lower.close();
    }

    /** How a program finds its libraries has nothing to do with the device: one form of each. */
    @TestFactory
    List<DynamicNode> cuda() {
        Tools.assumedNvcc();
        List<DynamicNode> tests = new ArrayList<>();
        for (Program program : chosen(Program.all(Places.PROGRAMS, ".cu"))) {
            Form form = program.forms().getFirst();
            CompletableFuture<Path> built =
                    CompletableFuture.supplyAsync(
                            () ->
                                    builder.link(
                                            program.name() + "." + form.word(),
                                            builder.object(program, Builder.PTX_ONLY),
                                            form,
                                            List.of()),
                            compilers);
            tests.add(
                    dynamicTest(program.name(), () -> check(program, built, form == Form.STATIC)));
        }
        return tests;
    }

    /** Programs of the driver API. */
    @TestFactory
    List<DynamicNode> driver() {
        List<DynamicNode> tests = new ArrayList<>();
        for (Program program : chosen(Program.all(Places.DRIVER, ".c"))) {
            CompletableFuture<Path> built =
                    CompletableFuture.supplyAsync(() -> builder.driver(program), compilers);
            tests.add(dynamicTest(program.name(), () -> check(program, built, false)));
        }
        return tests;
    }

    /** Of those that are tests by themselves; -Dprograms=scan,sticky tries these. */
    private static List<Program> chosen(List<Program> all) {
        List<String> names = List.of(System.getProperty("programs", "").split(","));
        return all.stream()
                .filter(program ->
                        names.contains("")
                                ? !OTHERWISE.containsKey(program.name())
                                : names.contains(program.name()))
                .filter(program -> !program.helper())
                .toList();
    }

    private static void check(Program program, CompletableFuture<Path> built, boolean preload)
            throws IOException {
        Path executable;
        try {
            executable = built.join();
        } catch (CompletionException e) {
            throw new AssertionError(e.getCause() == null ? e : e.getCause());
        }
        new Slices(upper).check(program, executable, preload);
    }
}
