package facet.system.tests;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

/** Every program through the direct engine, with Facet in the place of the vendor's driver. */
@SuppressWarnings("NullAway.Init") // begins before all tests
class DirectProgramsTest {
    /**
     * It wants what only Facet's own driver promises: arrays charged with the rows' padding, which
     * no driver tells.
     */
    private static final Set<String> LEFT_OUT = Set.of("exact_memory");

    private static DirectEngine engine;
    private static ExecutorService compilers;

    private final Builder builder = new Builder();

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        engine = DirectEngine.start("2G");
        compilers = Executors.newFixedThreadPool(2);
    }

    @AfterAll
    static void stop() throws IOException {
        compilers.shutdownNow();
        engine.close();
    }

    /** With the runtime in a library of its own, and inside. */
    @TestFactory
    List<DynamicNode> cuda() {
        Tools.assumedNvcc();
        List<DynamicNode> tests = new ArrayList<>();
        for (Program program : chosen(Program.all(Places.PROGRAMS, ".cu"))) {
            CompletableFuture<Path> object =
                    CompletableFuture.supplyAsync(
                            () -> builder.object(program, Builder.PTX_ONLY), compilers);
            for (Form form : program.forms()) {
                if (form == Form.DRIVER) {
                    continue;
                }
                String name = program.name() + "." + form.word();
                CompletableFuture<Path> built =
                        object.thenApplyAsync(
                                file -> builder.link(name, file, form, List.of()), compilers);
                tests.add(
                        dynamicTest(
                                program.name() + " " + form.word(),
                                () -> check(program, built, form == Form.STATIC)));
            }
        }
        return tests;
    }

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

    /** -Dprograms=scan,streams runs only these. */
    private static List<Program> chosen(List<Program> all) {
        List<String> names = List.of(System.getProperty("programs", "").split(","));
        return all.stream()
                .filter(program -> names.contains("") || names.contains(program.name()))
                .filter(program -> !program.helper() && !LEFT_OUT.contains(program.name()))
                .toList();
    }

    private static void check(Program program, CompletableFuture<Path> built, boolean preload)
            throws IOException {
        try {
            new Slices(engine.upper(), Control::directSlice, engine::environment)
                    .check(program, built.join(), preload);
        } catch (CompletionException e) {
            throw new AssertionError(e.getCause() == null ? e : e.getCause());
        }
    }
}
