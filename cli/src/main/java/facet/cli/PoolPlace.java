package facet.cli;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a machine is in its pool. */
final class PoolPlace {
    @Option(
            names = "--listen",
            paramLabel = "ADDRESS:PORT",
            description =
                    "Where others find this machine, or off: it lends nothing. Default:"
                            + " 0.0.0.0:7412; off where it has no device and joins.")
    private @Nullable String listen;

    @Option(
            names = "--name",
            paramLabel = "NODE",
            description = "Its name in the pool. Default: the machine's.")
    private @Nullable String node;

    void addTo(Map<String, String> arguments) {
        put(arguments, "listen", listen);
        put(arguments, "node", node);
    }

    private static void put(Map<String, String> all, String key, @Nullable String value) {
        if (value != null) {
            all.put(key, value);
        }
    }
}
