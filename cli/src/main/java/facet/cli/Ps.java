package facet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import facet.cli.Table.Column;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The programs that use a device, or what they lacked. */
@Command(
        name = "ps",
        description = "Lists the programs that use a device, and what each of them has taken.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  facet ps",
            "  watch -n1 facet ps",
            "  facet ps -o json",
            "  facet ps --unsupported   # why did it not work?",
            "  facet ps --unruled       # what passes to the vendor's driver that nobody knows?",
            "  facet ps --whole         # which code cannot make room for others inside a launch?"
        })
final class Ps extends Query {
    private static final Table TABLE =
            new Table(
                    Column.number("SESSION", "session"),
                    Column.text("SLICE", "slice"),
                    Column.number("PID", "pid"),
                    Column.text("PROGRAM", "program"),
                    Column.bytes("MEMORY", "memoryUsed"),
                    Column.number("LAUNCHES", "launches"),
                    Column.nanos("DEVICE TIME", "deviceNanos"));

    private static final Table UNSUPPORTED =
            new Table(
                    Column.text("SLICE", "slice"),
                    Column.text("KIND", "kind"),
                    Column.number("COUNT", "count"),
                    Column.text("NAME", "name"));

    @Option(
            names = "--unsupported",
            description =
                    "Lists the calls and instructions that programs asked for and did not get, also"
                            + " those of programs that have ended.")
    private boolean unsupported;

    @Option(
            names = "--unruled",
            description =
                    "Lists the calls of the vendor's driver that passed through the direct engine"
                            + " without a rule, also those of programs that have ended.")
    private boolean unruled;

    @Option(
            names = "--whole",
            description =
                    "Lists code in the direct engine whose launches are not in ranges, with the"
                            + " reason, also that of programs that have ended.")
    private boolean whole;

    Ps() {
        super("sessions");
    }

    @Override
    String verb() {
        return asksForCounts() ? "unsupported" : super.verb();
    }

    private boolean asksForCounts() {
        return unsupported || unruled || whole;
    }

    private boolean asksFor(String kind) {
        return switch (kind) {
            case "unruled" -> unruled;
            case "whole" -> whole;
            default -> unsupported;
        };
    }

    /** All are counted by the daemon as what it cannot do; here they are several questions. */
    @Override
    JsonNode chosen(JsonNode answer) {
        if (!asksForCounts()) {
            return answer;
        }
        ObjectNode part = JsonNodeFactory.instance.objectNode();
        ArrayNode rows = part.putArray("unsupported");
        for (JsonNode each : answer.path("unsupported")) {
            if (asksFor(each.path("kind").asText())) {
                rows.add(each);
            }
        }
        return part;
    }

    @Override
    String text(JsonNode answer) {
        if (asksForCounts()) {
            JsonNode rows = answer.path("unsupported");
            return rows.isEmpty() ? nothing() : UNSUPPORTED.of(rows);
        }
        JsonNode sessions = answer.path("sessions");
        return sessions.isEmpty() ? "no program uses a device\n" : TABLE.of(sessions);
    }

    private String nothing() {
        if (whole) {
            return "no code in the direct engine was found that must run whole\n";
        }
        return unruled
                ? "every call of programs in the direct engine has a rule\n"
                : "no program asked for what is not supported\n";
    }
}
