package facet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Takes no new slices. */
@Command(
        name = "drain",
        description = {
            "From now on this machine's devices take no new slices; what runs goes on.",
            "'facet pool status' says when no program uses them, and so does an event (node-empty)."
        },
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {"  facet pool drain", "  facet pool drain --end"})
final class PoolDrain extends Query {
    @Option(names = "--end", description = "Take new slices again.")
    private boolean end;

    PoolDrain() {
        super("pool-drain");
    }

    @Override
    Map<String, String> arguments() {
        return Map.of("end", Boolean.toString(end));
    }

    @Override
    String text(JsonNode answer) {
        if (end) {
            return "it takes new slices again\n";
        }
        return answer.path("empty").asBoolean()
                ? "it takes no new slices, and is empty\n"
                : "it takes no new slices; %d programs still run, 'facet events --follow' says when it is empty\n"
                        .formatted(answer.path("sessions").asInt());
    }
}
