package facet.system.tests;

import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every program, in all of its forms; and once more in one of them where each slice has a process
 * of its own: how a program finds its libraries has nothing to do with that.
 */
@SuppressWarnings("NullAway.Init") // JUnit fills in the parameter, and begins before all tests
@ParameterizedClass(name = "isolation {0}")
@ValueSource(strings = {"shared", "process"})
class ProgramsTest {
    private static Daemon daemon;
    private static ExecutorService compilers;

    private final Builder builder = new Builder();

    @Parameter String isolation;

    @BeforeParameterizedClassInvocation
    static void start(String isolation) throws IOException, InterruptedException {
        daemon = Daemon.start("2G", "--isolation", isolation);
        compilers = Executors.newFixedThreadPool(2);
    }

    @AfterParameterizedClassInvocation
    static void stop() throws IOException {
        compilers.shutdownNow();
        daemon.close();
    }

    /** CUDA programs as nvcc makes them. Where it is missing the driver programs cover the path. */
    @TestFactory
    List<DynamicContainer> cuda() {
        Tools.assumedNvcc();
        List<DynamicContainer> containers = new ArrayList<>();
        for (Program program : chosen(Program.all(Places.PROGRAMS, ".cu"))) {
            List<DynamicNode> tests = new ArrayList<>();
            CompletableFuture<Path> object =
                    CompletableFuture.supplyAsync(
                            () -> builder.object(program, Builder.PTX_ONLY), compilers);
            for (Form form : forms(program)) {
                String name = program.name() + "." + form.word();
                CompletableFuture<Path> built =
                        object.thenApplyAsync(
                                file -> builder.link(name, file, form, List.of()), compilers);
                tests.add(
                        dynamicTest(
                                program.name() + " " + form.word(),
                                () -> check(program, built, form == Form.STATIC)));
            }
            containers.add(dynamicContainer(program.name(), tests));
        }
        return containers;
    }

    private List<Form> forms(Program program) {
        return isolation.equals("process") ? program.forms().subList(0, 1) : program.forms();
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

    /** All that are tests by themselves; -Dprograms=scan,streams runs only these. */
    private static List<Program> chosen(List<Program> all) {
        List<String> names = List.of(System.getProperty("programs", "").split(","));
        return all.stream()
                .filter(program -> names.contains("") || names.contains(program.name()))
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
        new Slices(daemon).check(program, executable, preload);
    }
}
