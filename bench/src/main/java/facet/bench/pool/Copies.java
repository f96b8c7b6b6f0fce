package facet.bench.pool;

import facet.bench.Figure;
import facet.bench.Measurement;
import facet.bench.Options;
import facet.bench.Table;
import facet.testkit.net.PlainCopy;
import facet.testkit.net.Road;
import java.util.Map;

/** Much data, and what a plain socket makes of the same road. */
public final class Copies implements Measurement {
    private static final double LEAST = 0.9;
    private static final int LARGE = 200;
    private static final int SMALL = 8;

    /** Below it a road is slow: so much data takes seconds. */
    private static final long SLOW = 100_000_000;

    @Override
    public String name() {
        return "copies";
    }

    @Override
    public String about() {
        return "copies of 200 MB (8 MB on the slow road) that nothing makes smaller, MB/s, and a"
                + " plain socket";
    }

    @Override
    public Table measure(Options options) throws Exception {
        Table table =
                new Table(name(), about())
                        .column("road", "road")
                        .column("socket", "socket")
                        .column("toDevice", "to the device")
                        .column("fromDevice", "from the device")
                        .column("toPart", "to / socket")
                        .column("fromPart", "from / socket");
        String turns = options.quick() ? "1" : "5";
        try (Nodes nodes = new Nodes()) {
            nodes.warm();
            for (Map.Entry<String, Road> each : Roads.ofRate().entrySet()) {
                Road road = each.getValue();
                boolean slow = road.bytesPerSecond() > 0 && road.bytesPerSecond() < SLOW;
                int megabytes = slow ? SMALL : LARGE;
                try (Nodes.Near near = nodes.new Near(road, 1)) {
                    double before = PlainCopy.bytesPerSecond(road, megabytes * 1_000_000L) / 1e6;
                    Nodes.Run run = near.run("copies", Integer.toString(megabytes), turns);
                    double after = PlainCopy.bytesPerSecond(road, megabytes * 1_000_000L) / 1e6;
                    add(table, each.getKey(), Math.max(before, after), run);
                }
            }
        }
        return table;
    }

    private static void add(Table table, String road, double socket, Nodes.Run run) {
        double to = run.get("to the device");
        double from = run.get("from the device");
        Map<String, Object> row = table.row();
        row.put("road", road);
        row.put("socket", socket);
        row.put("toDevice", to);
        row.put("fromDevice", from);
        row.put("toPart", to / socket);
        row.put("fromPart", from / socket);
        Figure.atLeast(table, "to the device, " + road, to / socket, LEAST, " of a socket's");
        Figure.atLeast(table, "from the device, " + road, from / socket, LEAST, " of a socket's");
    }
}
