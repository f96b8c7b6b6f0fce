package facet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What happened to slices, as a difference: + made, ~ changed, = as before, - deleted. */
final class Changes {
    private static final Map<String, String> SIGNS =
            Map.of(
                    "created",
                    "+",
                    "changed",
                    "~",
                    "unchanged",
                    "=",
                    "deleted",
                    "-",
                    "deleting",
                    "-");
    private static final Map<String, String> COLOURS =
            Map.of(
                    "created",
                    "32",
                    "changed",
                    "33",
                    "unchanged",
                    "2",
                    "deleted",
                    "31",
                    "deleting",
                    "31");

    /** What is said of a slice that is being deleted. */
    static final String GOES_ON =
            "it can no longer be used; its programs are still being stopped, in the background";

    private Changes() {}

    /** Of one slice. */
    static String of(JsonNode change, Terminal terminal) {
        String action = change.path("action").asText();
        StringBuilder text = new StringBuilder();
        String heading =
                SIGNS.getOrDefault(action, "?")
                        + " "
                        + change.path("slice").asText()
                        + " "
                        + action;
        text.append(coloured(heading, COLOURS.getOrDefault(action, "0"), terminal)).append('\n');
        if (action.equals("deleted")) {
            return text.toString();
        }
        if (action.equals("deleting")) {
            return text.append("    ").append(GOES_ON).append('\n').toString();
        }
        JsonNode changes = change.path("changes");
        int width = 0;
        for (JsonNode each : changes) {
            width = Math.max(width, each.path("key").asText().length());
        }
        for (JsonNode each : changes) {
            String key = each.path("key").asText();
            text.append("    ").append(key).append(" ".repeat(width - key.length() + 2));
            if (action.equals("changed")) {
                text.append(each.path("from").asText("-")).append(" -> ");
            }
            text.append(each.path("to").asText("-")).append('\n');
        }
        if (change.has("placement")) {
            text.append("    on ").append(change.path("placement").asText()).append('\n');
        }
        return text.toString();
    }

    /** Of several, with a line that sums up. */
    static String of(JsonNode changes, boolean dryRun, Terminal terminal) {
        StringBuilder text = new StringBuilder();
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (String each : List.of("created", "changed", "deleted", "deleting", "unchanged")) {
            counts.put(each, 0);
        }
        for (JsonNode each : changes) {
            text.append(of(each, terminal));
            counts.merge(each.path("action").asText(), 1, Integer::sum);
        }
        List<String> words = new ArrayList<>();
        counts.forEach((action, count) -> {
            if (count > 0) {
                words.add(count + " " + action);
            }
        });
        return text.append(words.isEmpty() ? "no slices" : String.join(", ", words))
                .append(dryRun ? "; a dry run, nothing was done\n" : "\n")
                .toString();
    }

    private static String coloured(String text, String colour, Terminal terminal) {
        return terminal.colours() == Terminal.Colours.NONE
                ? text
                : "\u001b[" + colour + "m" + text + "\u001b[0m";
    }
}
