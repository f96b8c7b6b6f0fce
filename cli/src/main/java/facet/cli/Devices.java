package facet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import facet.cli.Table.Column;
import picocli.CommandLine.Command;

/** The devices of the daemon. */
@Command(
        name = "devices",
        description = "Lists the devices of this machine's daemon.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {"  facet devices", "  facet devices -o json"})
final class Devices extends Query {
    private static final Table TABLE =
            new Table(
                    Column.number("DEVICE", "device"),
                    Column.text("NAME", "name"),
                    Column.text("COMPUTE", "computeCapability"),
                    Column.number("SMS", "multiprocessors"),
                    Column.bytes("MEMORY", "memory"),
                    Column.bytes("USED", "used"));

    Devices() {
        super("devices");
    }

    @Override
    String text(JsonNode answer) {
        return TABLE.of(answer.path("devices"));
    }
}
