package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A root with this machine's C library and a few tools, in which packages are installed and run;
 * {@code packaging/scratch-root} makes it.
 */
record ScratchRoot(Path path) {
    private static final String SCRIPT = Places.ROOT.resolve("packaging/scratch-root").toString();
    private static final int SECONDS = 120;

    static ScratchRoot make(Path path) {
        ScratchRoot root = new ScratchRoot(path);
        root.done(root.ask("make", Map.of()));
        return root;
    }

    /** Runs a command in it, whatever comes of it. */
    Outcome run(String... command) {
        return ask("run", Map.of(), command);
    }

    /** Runs a command in it that must go well. */
    String output(String... command) {
        return done(run(command)).output();
    }

    /** The same, where an archive of classes that does not fit is an error. */
    String outputWithArchive(String... command) {
        return done(ask("run", Map.of("FACET_JAVA_OPTS", "-Xshare:on"), command)).output();
    }

    String dpkg(String... arguments) {
        return done(ask("dpkg", Map.of(), arguments)).output();
    }

    private Outcome done(Outcome outcome) {
        assertEquals(0, outcome.status(), outcome.report());
        return outcome;
    }

    private Outcome ask(String verb, Map<String, String> environment, String... words) {
        List<String> command = new ArrayList<>(List.of(SCRIPT, verb, path.toString()));
        command.addAll(List.of(words));
        return Runner.run(command, Places.MODULE, environment, SECONDS);
    }

    /** All that is in it but the books of dpkg, with sizes. */
    Map<String, Long> files() throws IOException {
        Map<String, Long> all = new TreeMap<>();
        try (Stream<Path> files = Files.walk(path)) {
            for (Path each : files.toList()) {
                String name = path.relativize(each).toString();
                if (!name.startsWith("var/lib/dpkg/")) {
                    boolean file = Files.isRegularFile(each, LinkOption.NOFOLLOW_LINKS);
                    all.put(name, file ? Files.size(each) : 0);
                }
            }
        }
        return all;
    }
}
