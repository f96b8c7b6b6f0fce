package facet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import facet.cli.Table.Column;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;

/** The slices of the daemon. */
@Command(
        name = "slices",
        description = {
            "Lists the slices, what each of them may take and what it has taken.",
            "SHARE is the part of a device that is promised now; with ≤ it is only an upper limit.",
            "ON is which devices it sees, where there are several; far/0 is device 0 of node far.",
            "PROC is 'own' when a process of its own runs the slice's programs: isolation process.",
            "ACTIVE is how many programs use it."
        },
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {"  facet slices", "  facet slices -o json"})
class Slices extends Query {
    private static final Column ON = new Column("ON", false, Slices::on);

    private static final List<Column> COLUMNS =
            List.of(
                    Column.text("SLICE", "name"),
                    Column.text("POLICY", "policy"),
                    Column.number("PRIO", "priority"),
                    new Column("SHARE", true, Slices::share),
                    Column.bytes("MEMORY", "memory"),
                    Column.bytes("USED", "memoryUsed"),
                    new Column("PROC", false, Slices::process),
                    Column.number("ACTIVE", "sessions"),
                    Column.nanos("TIME", "deviceNanos"));

    /** Which devices it sees: 0,2, or far/0. */
    private static String on(JsonNode row) {
        List<String> numbers = new ArrayList<>();
        row.path("onDevices").forEach(each -> numbers.add(each.asText()));
        String node = row.path("node").asText("");
        return (node.isEmpty() ? "" : node + "/") + String.join(",", numbers);
    }

    /** Where there is one device nobody asks which. */
    private static boolean areSeveral(JsonNode rows) {
        for (JsonNode row : rows) {
            if (!on(row).isEmpty() && !on(row).equals("0")) {
                return true;
            }
        }
        return false;
    }

    Slices() {
        super("slices");
    }

    private static String share(JsonNode row) {
        int promised = row.path("promised").asInt();
        if (promised > 0) {
            return promised + " %";
        }
        boolean capped = row.path("policy").asText().equals("priority");
        int compute = row.path("compute").asInt();
        return capped && compute > 0 ? "≤" + compute + " %" : "-";
    }

    private static String process(JsonNode row) {
        return row.path("isolation").asText().equals("process") ? "own" : "-";
    }

    @Override
    String text(JsonNode answer) {
        List<Column> columns = new ArrayList<>(COLUMNS);
        if (areSeveral(answer.path("slices"))) {
            columns.add(1, ON);
        }
        return new Table(columns.toArray(new Column[0]))
                .of(answer.path("slices"), Terminal.detect().width());
    }
}
