package facet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import facet.cli.Table.Column;
import picocli.CommandLine.Command;

/** The programs that use a device. */
@Command(
        name = "ps",
        description = "Lists the programs that use a device, and what each of them has taken.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {"  facet ps", "  watch -n1 facet ps", "  facet ps -o json"})
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

    Ps() {
        super("sessions");
    }

    @Override
    String text(JsonNode answer) {
        JsonNode sessions = answer.path("sessions");
        return sessions.isEmpty() ? "no program uses a device\n" : TABLE.of(sessions);
    }
}
