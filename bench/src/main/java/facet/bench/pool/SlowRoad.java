package facet.bench.pool;

import facet.bench.Measurement;
import facet.bench.Options;
import facet.bench.Table;
import java.time.Duration;
import java.util.Map;

/** 50 Mbit/s, 40 ms, 1 % loss, also cut all the time: nothing is wrong, only slower. */
public final class SlowRoad implements Measurement {
    private static final Duration CUTS = Duration.ofMillis(400);

    @Override
    public String name() {
        return "slow-road";
    }

    @Override
    public String about() {
        return "every program on 50 Mbit/s, 40 ms, 1 % loss, and with cuts every 400 ms; each checks"
                + " its results";
    }

    @Override
    public Table measure(Options options) throws Exception {
        Table table =
                new Table(name(), about())
                        .column("program", "program")
                        .column("steady", "steady")
                        .column("cut", "with cuts")
                        .column("cuts", "cuts");
        String[][] programs = {
            {"launches", "launches", "10000", "2000", "1"},
            {"step", "loop", "5", "2000", "1"},
            {"to the device", "copies", "4", "1"},
            {"start", "weights", "10"},
        };
        try (Nodes nodes = new Nodes()) {
            for (String[] each : programs) {
                String[] arguments = java.util.Arrays.copyOfRange(each, 1, each.length);
                Map<String, Object> row = table.row();
                row.put("program", each[0]);
                try (Nodes.Near near = nodes.new Near(Roads.slow(), 1)) {
                    row.put("steady", near.run(arguments).get(each[0]));
                }
                try (Nodes.Near near = nodes.new Near(Roads.slow(), 2)) {
                    near.proxy().cutEvery(CUTS);
                    row.put("cut", near.run(arguments).get(each[0]));
                    row.put("cuts", near.proxy().cuts());
                }
            }
        }
        return table;
    }
}
