package facet.bench.place;

import facet.bench.Figure;
import facet.bench.Measurement;
import facet.bench.Options;
import facet.bench.Table;
import facet.sim.Seeds;
import facet.sim.shape.Development;
import facet.sim.shape.Inference;
import java.util.Map;

/** Days of devices that are shared, by the rules of the daemon's own scheduler. */
public final class Shapes implements Measurement {
    private static final int FEW = 35;
    private static final int MANY = 70;
    private static final double BUSY = 35;

    @Override
    public String name() {
        return "shapes";
    }

    @Override
    public String about() {
        return "devices that 100 services need; utilisation with development environments";
    }

    @Override
    public Table measure(Options options) {
        Table table =
                new Table(name(), about())
                        .column("shape", "shape")
                        .column("seed", "seed")
                        .column("before", "before")
                        .column("after", "after")
                        .column("p99_ms", "worst p99 ms");
        for (long seed : Seeds.parse(options.quick() ? "42" : "42-46")) {
            Inference day = Inference.run(seed);
            row(table, "inference (devices)", seed, day.whole(), day.shared(), day.worst());
            Figure.atLeast(table, "whole devices, seed " + seed, day.whole(), MANY, "");
            Figure.atMost(table, "shared devices, seed " + seed, day.shared(), FEW, "");
            Figure.atMost(table, "p99, seed " + seed, day.worst(), day.promise(), " ms");
            Development other = Development.run(seed);
            row(
                    table,
                    "development (% in use)",
                    seed,
                    other.before(),
                    other.after(),
                    other.worstAfter());
            Figure.atLeast(table, "in use, seed " + seed, other.after(), BUSY, " %");
            Figure.atMost(
                    table, "p99 beside, seed " + seed, other.worstAfter(), other.promise(), " ms");
        }
        return table;
    }

    private static void row(
            Table table, String shape, long seed, double before, double after, double p99) {
        Map<String, Object> row = table.row();
        row.put("shape", shape);
        row.put("seed", seed);
        row.put("before", before);
        row.put("after", after);
        row.put("p99_ms", p99);
    }
}
