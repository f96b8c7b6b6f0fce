package facet.bench.pool;

import facet.bench.Figure;
import facet.bench.Measurement;
import facet.bench.Options;
import facet.bench.Table;
import facet.testkit.net.Road;
import java.util.Map;

/** A stream of launches: nothing of it waits for the network, so the device sets the pace. */
public final class Launches implements Measurement {
    private static final double MOST = 1.05;
    private static final String COUNT = "10000";

    /** Some 20 us of a core each. */
    private static final String ROUNDS = "20000";

    @Override
    public String name() {
        return "launches";
    }

    @Override
    public String about() {
        return "10,000 launches and one wait, us a launch, on the device's node and from elsewhere";
    }

    @Override
    public Table measure(Options options) throws Exception {
        Table table =
                new Table(name(), about())
                        .column("road", "round trip")
                        .column("localMicroseconds", "local")
                        .column("remoteMicroseconds", "remote")
                        .column("ratio", "remote / local")
                        .column("bytes", "bytes a launch");
        String turns = options.quick() ? "1" : "5";
        try (Nodes nodes = new Nodes()) {
            nodes.warm();
            for (Map.Entry<String, Road> each : Roads.ofTime().entrySet()) {
                try (Nodes.Near near = nodes.new Near(each.getValue(), 1)) {
                    double local = nodes.locally("launches", COUNT, ROUNDS, turns).get("launches");
                    Nodes.Run run = near.run("launches", COUNT, ROUNDS, turns);
                    double remote = run.get("launches");
                    Map<String, Object> row = table.row();
                    row.put("road", each.getKey());
                    row.put("localMicroseconds", local);
                    row.put("remoteMicroseconds", remote);
                    row.put("ratio", remote / local);
                    int turnsRun = Integer.parseInt(turns) + 1;
                    row.put("bytes", run.traffic().commands() / 1e4 / turnsRun);
                    Figure.atMost(table, "launches at " + each.getKey(), remote / local, MOST, "");
                }
            }
        }
        return table;
    }
}
