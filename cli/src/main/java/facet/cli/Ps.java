package facet.cli;

import com.fasterxml.jackson.databind.JsonNode;
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
            "  facet ps --unsupported   # why did it not work?"
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

    Ps() {
        super("sessions");
    }

    @Override
    String verb() {
        return unsupported ? "unsupported" : super.verb();
    }

    @Override
    String text(JsonNode answer) {
        if (unsupported) {
            JsonNode rows = answer.path("unsupported");
            return rows.isEmpty()
                    ? "no program asked for what is not supported\n"
                    : UNSUPPORTED.of(rows);
        }
        JsonNode sessions = answer.path("sessions");
        return sessions.isEmpty() ? "no program uses a device\n" : TABLE.of(sessions);
    }
}
