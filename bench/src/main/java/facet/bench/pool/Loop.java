package facet.bench.pool;

import facet.bench.Figure;
import facet.bench.Measurement;
import facet.bench.Options;
import facet.bench.Table;
import facet.testkit.net.Road;
import java.util.Map;

/** What a program does that trains: 300 launches and 4 waits a step. */
public final class Loop implements Measurement {
    private static final double MOST = 1.05;
    private static final int WAITS = 4;
    private static final double LEAST_SAVED = 0.9;
    private static final String ROUNDS = "20000";

    @Override
    public String name() {
        return "loop";
    }

    @Override
    public String about() {
        return "a step of 300 launches and 4 waits, ms; round trips as the link has measured them";
    }

    @Override
    public Table measure(Options options) throws Exception {
        Table table =
                new Table(name(), about())
                        .column("road", "round trip")
                        .column("measuredMilliseconds", "measured")
                        .column("localMilliseconds", "local")
                        .column("remoteMilliseconds", "remote")
                        .column("mostMilliseconds", "wanted")
                        .column("bytes", "command bytes a step")
                        .column("saved", "fewer than records");
        int steps = options.quick() ? 20 : 50;
        String turns = options.quick() ? "3" : "9";
        try (Nodes nodes = new Nodes()) {
            nodes.warm();
            for (Map.Entry<String, Road> each : Roads.ofTime().entrySet()) {
                try (Nodes.Near near = nodes.new Near(each.getValue(), 1)) {
                    String count = Integer.toString(steps);
                    double local = nodes.locally("loop", count, ROUNDS, turns).get("step");
                    Nodes.Run run = near.run("loop", count, ROUNDS, turns);
                    add(table, each.getKey(), local, run, steps * (Integer.parseInt(turns) + 1));
                }
            }
        }
        return table;
    }

    private static void add(Table table, String road, double local, Nodes.Run run, int steps) {
        double remote = run.get("step");
        double roundTrip = run.traffic().roundTrip() * 1e3;
        double most = MOST * local + WAITS * roundTrip;
        double saved = 1 - (double) run.traffic().commands() / run.traffic().plain();
        Map<String, Object> row = table.row();
        row.put("road", road);
        row.put("measuredMilliseconds", roundTrip);
        row.put("localMilliseconds", local);
        row.put("remoteMilliseconds", remote);
        row.put("mostMilliseconds", most);
        row.put("bytes", (double) run.traffic().commands() / steps);
        row.put("saved", saved);
        Figure.atMost(table, "a step at " + road, remote, most, " ms");
        Figure.atLeast(table, "fewer command bytes at " + road, saved, LEAST_SAVED, "");
    }
}
