package facet.system.tests;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The command line, as a process of its own. */
final class Cli {
    private Cli() {}

    /** A command that speaks to a daemon. */
    static Outcome facet(Daemon daemon, String... arguments) {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                ProcessHandle.current().info().command().orElse("java"),
                                "-Dfacet.native=" + Places.NATIVE.resolve("target"),
                                "-cp",
                                System.getProperty("java.class.path"),
                                "facet.cli.Main"));
        command.addAll(List.of(arguments));
        command.addAll(List.of("--runtime-dir", daemon.directory().toString()));
        return Runner.run(command, Places.MODULE, Map.of());
    }
}
