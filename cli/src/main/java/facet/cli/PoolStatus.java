package facet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import facet.cli.Table.Column;
import picocli.CommandLine.Command;

/** The pool, and the nodes in it. */
@Command(
        name = "status",
        description = {
            "Shows the pool that this machine is in, and the other nodes.",
            "RTT is the way to a node and back. SENT, RECEIVED and WAITS are of this machine's"
                    + " programs there: bytes, and answers that they waited for.",
            "CUTS is how often connections broke and went on."
        },
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {"  facet pool status", "  facet pool status -o json"})
final class PoolStatus extends Query {
    private static final Table NODES =
            new Table(
                    new Column("NODE", false, row -> named(row.path("node").asText())),
                    new Column("ADDRESS", false, row -> named(row.path("address").asText())),
                    Column.number("DEVICES", "devices"),
                    new Column("RTT", true, PoolStatus::roundTrip),
                    Column.number("PROGRAMS", "sessions"),
                    Column.number("WAITS", "roundTrips"),
                    Column.bytes("SENT", "sent"),
                    Column.bytes("RECEIVED", "received"),
                    Column.number("CUTS", "resumes"),
                    Column.text("STATE", "state"));

    PoolStatus() {
        super("pool");
    }

    private static String named(String text) {
        return text.isEmpty() ? "-" : text;
    }

    private static String roundTrip(JsonNode row) {
        long nanos = row.path("roundTripNanos").asLong();
        return nanos == 0 ? "-" : String.format(java.util.Locale.ROOT, "%.2f ms", nanos / 1e6);
    }

    static String describe(JsonNode answer) {
        if (!answer.path("joined").asBoolean()) {
            return "this machine is in no pool; 'facet pool init' makes one, 'facet join' joins"
                    + " one\n";
        }
        String listens = answer.path("listens").asText();
        StringBuilder text = new StringBuilder();
        text.append(
                "pool %s, this is node %s, which %s\n"
                        .formatted(
                                answer.path("pool").asText(),
                                answer.path("node").asText(),
                                listens.isEmpty() ? "lends nothing" : "listens at " + listens));
        text.append(
                "%d slices of its devices are lent, %d programs use them\n"
                        .formatted(answer.path("lent").asInt(), answer.path("sessions").asInt()));
        if (answer.path("draining").asBoolean()) {
            text.append("it drains: it takes no new slices")
                    .append(
                            answer.path("empty").asBoolean()
                                    ? ", and is empty\n"
                                    : "; programs still run\n");
        }
        JsonNode nodes = answer.path("nodes");
        return nodes.isEmpty()
                ? text.append("no other node is known yet\n").toString()
                : text.append('\n').append(NODES.of(nodes)).toString();
    }

    @Override
    String text(JsonNode answer) {
        return describe(answer);
    }
}
