package facet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import facet.cli.Table.Column;
import picocli.CommandLine.Command;

/** The slices of the daemon. */
@Command(
        name = "slices",
        description = "Lists the slices, what each of them may take and what it has taken.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {"  facet slices", "  facet slices -o json"})
final class Slices extends Query {
    static final Table TABLE =
            new Table(
                    Column.text("SLICE", "name"),
                    Column.bytes("MEMORY", "memory"),
                    Column.bytes("USED", "memoryUsed"),
                    new Column("COMPUTE", true, row -> row.path("compute").asText("-") + " %"),
                    Column.number("PROGRAMS", "sessions"),
                    Column.number("LAUNCHES", "launches"),
                    Column.nanos("DEVICE TIME", "deviceNanos"));

    Slices() {
        super("slices");
    }

    @Override
    String text(JsonNode answer) {
        return TABLE.of(answer.path("slices"));
    }
}
