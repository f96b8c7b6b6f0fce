package facet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import facet.cli.Table.Column;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;

/** The devices of the daemon. */
@Command(
        name = "devices",
        description = {
            "Lists the devices of this machine's daemon, and those of its pool.",
            "FREE and LEFT are what no slice was promised: of memory, and of time."
        },
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {"  facet devices", "  facet devices -o json"})
final class Devices extends Query {
    private static final List<Column> COLUMNS =
            List.of(
                    Column.number("DEVICE", "device"),
                    Column.text("NAME", "name"),
                    Column.text("COMPUTE", "computeCapability"),
                    Column.number("SMS", "multiprocessors"),
                    Column.bytes("MEMORY", "memory"),
                    Column.bytes("USED", "used"),
                    Column.bytes("FREE", "free"),
                    new Column("LEFT", true, Devices::left));

    private static final Column NODE = new Column("NODE", false, Devices::node);

    private static String left(JsonNode row) {
        return Math.max(0, row.path("timeRest").asInt()) + " %";
    }

    private static String node(JsonNode row) {
        boolean away = row.has("connected") && !row.path("connected").asBoolean();
        return row.path("node").asText("-") + (away ? " (lost)" : "");
    }

    Devices() {
        super("devices");
    }

    @Override
    String text(JsonNode answer) {
        ArrayNode rows = JsonNodeFactory.instance.arrayNode();
        answer.path("devices").forEach(rows::add);
        answer.path("elsewhere").forEach(rows::add);
        List<Column> columns = new ArrayList<>(COLUMNS);
        boolean inPool = false;
        for (JsonNode each : rows) {
            inPool |= each.has("node");
        }
        if (inPool) {
            columns.addFirst(NODE);
        }
        return new Table(columns.toArray(new Column[0])).of(rows);
    }
}
