package facet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Leaves the pool. */
@Command(
        name = "leave",
        description = {
            "Leaves the pool. What other machines run on this one's devices ends.",
            "Without --force it is refused while slices are on other machines."
        },
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {"  facet pool leave", "  facet pool leave --force"})
final class PoolLeave extends Query {
    @Option(names = "--force", description = "Also when slices are on other machines; they end.")
    private boolean force;

    PoolLeave() {
        super("pool-leave");
    }

    @Override
    Map<String, String> arguments() {
        return Map.of("force", Boolean.toString(force));
    }

    @Override
    String text(JsonNode answer) {
        return "this machine is in no pool any more\n";
    }
}
