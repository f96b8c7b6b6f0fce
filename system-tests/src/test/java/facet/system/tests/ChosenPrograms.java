package facet.system.tests;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import org.junit.jupiter.api.DynamicNode;

/**
 * Some of the programs as tests, each in one of its forms: how a program finds its libraries has
 * nothing to do with its device.
 *
 * @param usual by their names, where -Dprograms=scan,streams or -Dprograms=all does not say others
 */
record ChosenPrograms(Predicate<String> usual, Executor compilers, Checker checker) {
    /** Runs a program and says what was wrong. */
    interface Checker {
        void check(Program program, Path executable, boolean preload) throws IOException;
    }

    /** As nvcc makes them. */
    List<DynamicNode> cuda(Builder builder) {
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
    List<DynamicNode> driver(Builder builder) {
        List<DynamicNode> tests = new ArrayList<>();
        for (Program program : chosen(Program.all(Places.DRIVER, ".c"))) {
            CompletableFuture<Path> built =
                    CompletableFuture.supplyAsync(() -> builder.driver(program), compilers);
            tests.add(dynamicTest(program.name(), () -> check(program, built, false)));
        }
        return tests;
    }

    /** Of those that are tests by themselves. */
    private List<Program> chosen(List<Program> all) {
        String asked = System.getProperty("programs", "");
        List<String> names = List.of(asked.split(","));
        return all.stream()
                .filter(program ->
                        asked.isEmpty()
                                ? usual.test(program.name())
                                : names.contains("all") || names.contains(program.name()))
                .filter(program -> !program.helper())
                .toList();
    }

    private void check(Program program, CompletableFuture<Path> built, boolean preload)
            throws IOException {
        Path executable;
        try {
            executable = built.join();
        } catch (CompletionException e) {
            throw new AssertionError(e.getCause() == null ? e : e.getCause());
        }
        checker.check(program, executable, preload);
    }
}
