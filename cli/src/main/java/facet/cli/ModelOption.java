package facet.cli;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which kind of devices a slice has; 'facet place explain' has an option of that name already. */
final class ModelOption {
    @Option(
            names = "--model",
            paramLabel = "NAME",
            description = "A part of the devices' name, such as L4; 'facet devices' lists them.")
    private @Nullable String model;

    void addTo(Map<String, String> arguments) {
        String said = model;
        if (said != null) {
            arguments.put("model", said);
        }
    }
}
