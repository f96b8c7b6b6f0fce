package facet.bench.pool;

import facet.bench.Figure;
import facet.bench.Measurement;
import facet.bench.Options;
import facet.bench.Table;
import facet.testkit.net.Road;
import java.time.Duration;
import java.util.Map;

/** A program with 200 MB of weights that is started again. */
public final class SecondStart implements Measurement {
    private static final double MOST = 0.01;
    private static final long RATE = 125_000_000;
    private static final int MOST_ROUND_TRIPS = 3;

    @Override
    public String name() {
        return "second-start";
    }

    @Override
    public String about() {
        return "a program with 200 MB of weights, started three times over 1 Gbit/s with 1 ms";
    }

    @Override
    public Table measure(Options options) throws Exception {
        Table table =
                new Table(name(), about())
                        .column("start", "start")
                        .column("milliseconds", "weights, ms")
                        .column("beginMilliseconds", "to the first result, ms")
                        .column("beginWaits", "its round trips")
                        .column("bytes", "bytes sent")
                        .column("part", "of what it means");
        Road road = Road.ofRoundTrip(Duration.ofMillis(1)).withRate(RATE);
        try (Nodes nodes = new Nodes();
                Nodes.Near near = nodes.new Near(road, 1)) {
            for (int start = 1; start <= 3; start++) {
                Nodes.Run begin = near.run("nothing", "0");
                Nodes.Run run = near.run("weights", "200");
                Map<String, Object> row = table.row();
                row.put("beginMilliseconds", begin.get("begin"));
                row.put("beginWaits", begin.traffic().waits());
                Figure.atMost(
                        table,
                        "round trips of start " + start,
                        (double) begin.traffic().waits(),
                        MOST_ROUND_TRIPS,
                        "");
                double part = (double) run.traffic().all() / run.traffic().plain();
                row.put("start", start);
                row.put("milliseconds", run.get("start"));
                row.put("bytes", run.traffic().all());
                row.put("part", part);
                if (start > 1) {
                    Figure.atMost(table, "bytes of start " + start, part, MOST, "");
                }
            }
        }
        return table;
    }
}
