package facet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Deletes a slice. */
@Command(
        name = "delete",
        aliases = "rm",
        description = "Deletes a slice, unless programs use it or a container has it.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the slice is deleted, or can no longer be used",
            "1:programs or a container use it, it was refused, or no daemon answers",
            "2:wrong usage"
        },
        footerHeading = "%nExamples:%n",
        footer = {"  facet slice delete train", "  facet slice delete train --force"})
final class SliceDelete extends Query {
    @Parameters(paramLabel = "NAME", description = "The slice.")
    private String name = "";

    @Option(
            names = {"-f", "--force"},
            description = "Delete it even if programs or a container use it; they get an error.")
    private boolean force;

    SliceDelete() {
        super("slice-delete");
    }

    @Override
    Map<String, String> arguments() {
        return force ? Map.of("name", name, "force", "true") : Map.of("name", name);
    }

    @Override
    String text(JsonNode answer) {
        String slice = "slice " + answer.path("slice").asText();
        return answer.path("action").asText().equals("deleting")
                ? slice + " is being deleted: " + Changes.GOES_ON + "\n"
                : slice + " is deleted\n";
    }
}
