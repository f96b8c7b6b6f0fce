package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import org.junit.jupiter.api.DynamicNode;

/** Programs through the direct engine, with Facet in the place of the vendor's driver. */
final class DirectPrograms implements AutoCloseable {
    /** How launches come to the driver. */
    enum Launches {
        /** As the engine thinks best: whole, since nobody else uses the device. */
        USUAL,
        /** In parts, whenever that is possible. */
        PARTS
    }

    /**
     * They want what only Facet's own driver promises: a heap that is charged when it is used, and
     * is NULL where there is no room.
     */
    private static final Set<String> LEFT_OUT = Set.of("exact_heap");

    /** The driver tells which block asserted: the one of the part. */
    private static final Set<String> NEVER_IN_PARTS = Set.of("sticky_assert", "sticky_asserts");

    /** They are refused what they should be, without the words of the forwarded engine. */
    private static final Set<String> WORDLESS = Set.of("exact_memory");

    private final Builder builder = new Builder();
    private final DirectEngine engine;
    private final ExecutorService compilers;

    DirectPrograms() throws IOException, InterruptedException {
        engine = DirectEngine.start("2G");
        compilers = Executors.newFixedThreadPool(2);
    }

    @Override
    public void close() throws IOException {
        compilers.shutdownNow();
        engine.close();
    }

    /** Which of the forms a program is built in, and how it launches in that. */
    List<DynamicNode> cuda(Predicate<Program> chosen, Map<Form, Launches> forms) {
        Tools.assumedNvcc();
        List<DynamicNode> tests = new ArrayList<>();
        for (Program program : of(Places.PROGRAMS, ".cu", chosen)) {
            CompletableFuture<Path> object =
                    CompletableFuture.supplyAsync(
                            () -> builder.object(program, Builder.PTX_ONLY), compilers);
            for (Form form : program.forms()) {
                Launches launches = forms.get(form);
                if (launches == null) {
                    continue;
                }
                String name = program.name() + "." + form.word();
                CompletableFuture<Path> built =
                        object.thenApplyAsync(
                                file -> builder.link(name, file, form, List.of()), compilers);
                tests.add(
                        dynamicTest(
                                program.name() + " " + form.word(),
                                () -> check(program, built, form == Form.STATIC, launches)));
            }
        }
        return tests;
    }

    List<DynamicNode> driver(Predicate<Program> chosen, Launches launches) {
        List<DynamicNode> tests = new ArrayList<>();
        for (Program program : of(Places.DRIVER, ".c", chosen)) {
            CompletableFuture<Path> built =
                    CompletableFuture.supplyAsync(() -> builder.driver(program), compilers);
            tests.add(dynamicTest(program.name(), () -> check(program, built, false, launches)));
        }
        return tests;
    }

    /** -Dprograms=scan,streams runs only these. */
    private static List<Program> of(Path folder, String suffix, Predicate<Program> chosen) {
        List<String> names = List.of(System.getProperty("programs", "").split(","));
        return Program.all(folder, suffix).stream()
                .filter(program -> names.contains("") || names.contains(program.name()))
                .filter(program -> !program.helper() && !LEFT_OUT.contains(program.name()))
                .filter(chosen)
                .toList();
    }

    /** Runs a program that only others look at, with all launches in parts. */
    Outcome run(String name) throws IOException {
        Program program =
                Program.all(Places.DRIVER, ".c").stream()
                        .filter(each -> each.name().equals(name))
                        .findFirst()
                        .orElseThrow();
        return slices(Launches.PARTS).run(builder.driver(program), false);
    }

    /** What the daemon counts of this kind, by name. */
    Map<String, Integer> counts(String kind) throws IOException {
        Map<String, Integer> counts = new TreeMap<>();
        try (Control control = engine.upper().control()) {
            for (JsonNode each : control.ask("unsupported").path("unsupported")) {
                if (each.path("kind").asText().equals(kind)) {
                    counts.merge(
                            each.path("name").asText(), each.path("count").asInt(), Integer::sum);
                }
            }
        }
        return counts;
    }

    private Slices slices(Launches launches) {
        return new Slices(
                engine.upper(),
                Control::directSlice,
                (socket, preload) -> environment(socket, preload, launches));
    }

    private void check(
            Program program, CompletableFuture<Path> built, boolean preload, Launches launches)
            throws IOException {
        try {
            boolean whole = NEVER_IN_PARTS.contains(program.name());
            Slices slices = slices(whole ? Launches.USUAL : launches);
            if (WORDLESS.contains(program.name())) {
                Outcome outcome = slices.run(built.join(), preload);
                assertTrue(
                        outcome.ok()
                                && outcome.output().startsWith("ok ")
                                && outcome.errors().isEmpty(),
                        outcome.report());
            } else {
                slices.check(program, built.join(), preload);
            }
        } catch (CompletionException e) {
            throw new AssertionError(e.getCause() == null ? e : e.getCause());
        }
    }

    private Map<String, String> environment(String socket, boolean preload, Launches launches) {
        Map<String, String> environment = new HashMap<>(engine.environment(socket, preload));
        if (launches == Launches.PARTS) {
            environment.put("FACET_RANGES", "always");
        }
        return environment;
    }
}
