package facet.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which daemon a command speaks to. */
final class DaemonOption {
    @Option(
            names = "--runtime-dir",
            paramLabel = "DIR",
            description =
                    "Where the daemon has its sockets. Default: FACET_RUNTIME_DIR; for root"
                            + " /run/facet; else facet in XDG_RUNTIME_DIR, or /tmp/facet-UID.")
    private @Nullable Path directory;

    Path directory() {
        Path given = directory;
        return given != null ? given : RuntimeDirectory.find();
    }

    Control open() {
        return Control.open(directory());
    }
}
