package facet.system.tests;

import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs programs, each in a slice that is made for it, and says what was wrong with them. */
final class Slices {
    /** Enough for every program, and little enough for those that take all of it. */
    static final String MEMORY = "512M";

    private static final AtomicInteger COUNT = new AtomicInteger();

    /** How a slice is made. */
    interface Maker {
        String make(Control control, String name, String memory) throws IOException;
    }

    /** How a program is pointed at its slice. */
    interface Environments {
        Map<String, String> of(String socket, boolean preload);
    }

    private final Daemon daemon;
    private final Maker maker;
    private final Environments environments;

    Slices(Daemon daemon) {
        this(daemon, Control::slice, Slices::environment);
    }

    Slices(Daemon daemon, Maker maker, Environments environments) {
        this.daemon = daemon;
        this.maker = maker;
        this.environments = environments;
    }

    static Map<String, String> environment(String socket, boolean preload) {
        Map<String, String> environment = new HashMap<>();
        environment.put("LD_LIBRARY_PATH", Places.LIBRARIES.toString());
        environment.put("FACET_SOCKET", socket);
        if (preload) {
            environment.put("LD_PRELOAD", Places.library("libfacet-preload.so").toString());
        }
        return environment;
    }

    static String name(String program) {
        return program.replace('_', '-') + "-" + COUNT.incrementAndGet();
    }

    /** Runs an executable to its end. */
    Outcome run(Path executable, boolean preload) throws IOException {
        try (Control control = daemon.control()) {
            String name = executable.getFileName().toString().replaceAll("[^a-z0-9]", "-");
            String socket = maker.make(control, name(name), MEMORY);
            return Runner.run(
                    List.of(executable.toString()), Places.BUILT, environments.of(socket, preload));
        }
    }

    /** What a program says itself: on a busy machine it is told that it waits for its worker. */
    private static String own(String errors) {
        return errors.replaceAll("facet: the daemon behind [^\n]* is slow to answer;[^\n]*\n", "");
    }

    /** Runs a program and fails unless it ended well and printed what it should. */
    void check(Program program, Path executable, boolean preload) throws IOException {
        long mark = daemon.mark();
        Outcome outcome = run(executable, preload);
        String output = outcome.output();
        String wrong = "";
        if (!outcome.ok()) {
            wrong = "it failed";
        } else if (!output.lines().reduce("", (first, last) -> last).startsWith("ok")) {
            wrong = "its last line is not 'ok'";
        } else if (!program.expectedOutput().orElse(output).equals(output)) {
            wrong = "it should have printed\n" + program.expectedOutput().orElseThrow();
        } else if (!program.errorOutput().stream().allMatch(outcome.errors()::contains)) {
            wrong = "its error output should have " + program.errorOutput();
        } else if (program.errorOutput().isEmpty() && !own(outcome.errors()).isEmpty()) {
            wrong = "it should have printed nothing to its error output";
        } else if (!daemon.alive()) {
            wrong = "the daemon has ended";
        }
        if (!wrong.isEmpty()) {
            fail(
                    wrong
                            + ": "
                            + outcome.report()
                            + "--- the daemon's log\n"
                            + daemon.logSince(mark));
        }
    }
}
