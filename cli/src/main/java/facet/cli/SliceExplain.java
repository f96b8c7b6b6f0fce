package facet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** What a slice is, and why. */
@Command(
        name = "explain",
        description = {
            "Tells all that a slice is, where it is, which engine its programs use, and why.",
            "direct: the vendor's driver works in the program; ours stands before it.",
            "forwarded: all calls go to the daemon; a boundary."
        },
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {"  facet slice explain train", "  facet slice explain train -o json"})
final class SliceExplain extends Query {
    @Parameters(paramLabel = "NAME", description = "The slice.")
    private String name = "";

    SliceExplain() {
        super("slice-explain");
    }

    @Override
    Map<String, String> arguments() {
        return Map.of("name", name);
    }

    @Override
    String text(JsonNode answer) {
        StringBuilder text = new StringBuilder();
        text.append("slice ").append(answer.path("slice").asText()).append('\n');
        answer.path("settings")
                .properties()
                .forEach(each -> {
                    if (!each.getKey().equals("engine") && !each.getKey().equals("strict")) {
                        line(text, each.getKey(), each.getValue().asText());
                    }
                });
        if (answer.has("placed")) {
            line(text, "on", where(answer));
            text.append("    since ").append(answer.path("placed").asText()).append('\n');
        }
        line(text, "engine", answer.path("engine").asText());
        text.append("    since ").append(answer.path("engineReason").asText()).append('\n');
        if (answer.path("engine").asText().equals("direct")) {
            line(
                    text,
                    "calls without a rule",
                    answer.path("strict").asBoolean() ? "are refused" : "pass, and are counted");
        }
        return text.toString();
    }

    private static String where(JsonNode answer) {
        StringBuilder numbers = new StringBuilder();
        answer.path("onDevices")
                .forEach(
                        each -> numbers.append(numbers.isEmpty() ? "" : ",").append(each.asText()));
        String node = answer.path("node").asText("");
        return "device " + numbers + (node.isEmpty() ? "" : " of node " + node);
    }

    private static void line(StringBuilder text, String what, String value) {
        text.append("  ").append(what).append(": ").append(value).append('\n');
    }
}
