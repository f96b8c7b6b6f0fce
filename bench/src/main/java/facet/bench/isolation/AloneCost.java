package facet.bench.isolation;

import facet.bench.Figure;
import facet.bench.Measurement;
import facet.bench.Options;
import facet.bench.Statistics;
import facet.bench.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What a slice that has the whole device loses because it could be shared. */
public final class AloneCost implements Measurement {
    private static final List<Load> LOADS = List.of(Load.MICROS_10, Load.MILLIS_1, Load.MILLIS_50);

    @Override
    public String name() {
        return "alone";
    }

    @Override
    public String about() {
        return "one slice with all of the device, beside a daemon that does not share: time for the"
                + " same work, not shared = 1 (median of turns; with 95 % certainty it lies from, to)";
    }

    @Override
    public Table measure(Options options) throws Exception {
        Table table =
                new Table(name(), about())
                        .column("policy", "policy")
                        .column("kernels", "kernels")
                        .column("time_ratio", "time")
                        .column("from_ratio", "from")
                        .column("to_ratio", "to");
        try (Ground sharing = new Ground(options.daemon());
                Ground plain = new Ground("--no-sharing")) {
            sharing.calibrate(LOADS);
            plain.calibrateLike(sharing);
            for (Load load : LOADS) {
                for (String policy : List.of("fixed", "burst")) {
                    try {
                        measure(table, sharing, plain, load, policy, options);
                    } catch (IOException e) {
                        table.fail(policy + " 100, " + load.text() + ": " + e.getMessage());
                    }
                }
            }
        }
        return table;
    }

    private static void measure(
            Table table, Ground sharing, Ground plain, Load load, String policy, Options options)
            throws IOException, InterruptedException {
        long nanos = 200_000_000;
        // Turns differ by a tenth and more; their median is to be known to a hundredth or two.
        int turns = options.quick() ? 5 : 12 * options.rounds();
        Tenant shared = sharing.tenant("all", new Share(policy, 100, 0), load);
        List<Double> ratios = new ArrayList<>();
        try {
            for (int turn = 0; turn < turns; turn++) {
                // Now one first, now the other: what drifts favours none.
                if (turn % 2 == 0) {
                    double with = Ground.rate(shared, load, nanos);
                    ratios.add(plain.aloneRate(load, nanos) / with);
                } else {
                    double without = plain.aloneRate(load, nanos);
                    ratios.add(without / Ground.rate(shared, load, nanos));
                }
            }
        } finally {
            sharing.leave(shared);
        }
        double median = Statistics.median(ratios);
        Map<String, Object> row = table.row();
        row.put("policy", policy + " 100");
        row.put("kernels", load.text());
        row.put("time_ratio", median);
        // As many turns lie below a median as heads are thrown.
        double spread = 0.98 / Math.sqrt(turns);
        row.put("from_ratio", Statistics.quantile(ratios, 0.5 - spread));
        row.put("to_ratio", Statistics.quantile(ratios, 0.5 + spread));
        Figure.atMost(
                table,
                policy + " 100, kernels of " + load.text() + ": time, not shared = 1",
                median,
                1.02,
                "");
    }
}
