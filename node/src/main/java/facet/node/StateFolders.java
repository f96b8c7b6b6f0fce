package facet.node;

import facet.os.ProcessUnsafe;
import java.nio.file.Path;
import java.util.Optional;

/** Where the daemon keeps slices when nobody says. */
final class StateFolders {
    private StateFolders() {}

    /**
     * @param runtime a runtime folder that was named: such a daemon has all that it has there
     */
    static Path usual(Optional<Path> runtime) {
        return variable("FACET_STATE_DIR")
                .or(() -> runtime.map(path -> path.resolve("state")))
                .orElseGet(StateFolders::ofSystem);
    }

    private static Path ofSystem() {
        if (ProcessUnsafe.user() == 0) {
            return Path.of("/var/lib/facet");
        }
        return variable("XDG_STATE_HOME")
                .map(path -> path.resolve("facet"))
                .orElseGet(() -> Path.of(System.getProperty("user.home"), ".local/state/facet"));
    }

    /** A path in the environment; an empty one is none. */
    static Optional<Path> variable(String name) {
        return Optional.ofNullable(System.getenv(name))
                .filter(value -> !value.isEmpty())
                .map(value -> Path.of(value).toAbsolutePath());
    }
}
