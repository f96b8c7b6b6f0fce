package facet.bench.isolation;

import facet.bench.Figure;
import facet.bench.Measurement;
import facet.bench.Options;
import facet.bench.Table;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Two slices whose programs have no more than three kernels under way: what stays idle? */
public final class DeviceBusy implements Measurement {
    private static final long SETTLE_NANOS = 500_000_000;
    private static final long WARM_NANOS = 10_000_000_000L;
    private static final int SAMPLE_MILLIS = 50;
    private static final List<Load> LOADS =
            List.of(Load.MICROS_200, Load.MILLIS_1, Load.MILLIS_10, Load.MILLIS_50);

    @Override
    public String name() {
        return "busy";
    }

    @Override
    public String about() {
        return "two slices of 50 %, programs with three kernels under way: the part of the device's"
                + " time that is used";
    }

    @Override
    public Table measure(Options options) throws Exception {
        Table table =
                new Table(name(), about())
                        .column("policy", "policy")
                        .column("kernels", "kernels")
                        .column("busy", "busy")
                        .column("gone", "cores away");
        try (Ground ground = new Ground(options.daemon())) {
            ground.calibrate(LOADS);
            List<Tenant> tenants =
                    List.of(
                            ground.tenant("busy-0", Share.burst(50), Load.MILLIS_1),
                            ground.tenant("busy-1", Share.burst(50), Load.MILLIS_1));
            together(ground, tenants, Load.MILLIS_1, options.quick() ? SETTLE_NANOS : WARM_NANOS);
            for (String policy : List.of("fixed", "burst")) {
                for (Load load : LOADS) {
                    for (Tenant each : tenants) {
                        each.change(new Share(policy, 50, 0));
                    }
                    measure(table, ground, tenants, policy, load, options);
                }
            }
        }
        return table;
    }

    private static void measure(
            Table table,
            Ground ground,
            List<Tenant> tenants,
            String policy,
            Load load,
            Options options)
            throws IOException, InterruptedException {
        long nanos = options.quick() ? 1_000_000_000L : 5_000_000_000L;
        try (Witness witness = new Witness()) {
            DeviceTimes times = together(ground, tenants, load, nanos);
            double there = witness.gaps(table).presence(times.first(), times.last());
            double elapsed = times.last() - times.first();
            double busy =
                    times.sum() / (elapsed * Runtime.getRuntime().availableProcessors() * there);
            Map<String, Object> row = table.row();
            row.put("policy", policy);
            row.put("kernels", load.text());
            row.put("busy", busy);
            row.put("gone", 1 - there);
            System.err.printf(Locale.ROOT, "  %s, %s: busy %.3f%n", policy, load.text(), busy);
            Figure.atLeast(table, policy + ", " + load.text() + ": busy", busy, 0.95, "");
        }
    }

    private static DeviceTimes together(Ground ground, List<Tenant> tenants, Load load, long nanos)
            throws IOException, InterruptedException {
        for (Tenant each : tenants) {
            ground.use(each, load);
        }
        long start = Ground.soon();
        long from = start + SETTLE_NANOS;
        for (Tenant each : tenants) {
            each.tell("work", start, from + nanos + SETTLE_NANOS / 2, 1, SAMPLE_MILLIS);
        }
        DeviceTimes times =
                DeviceTimes.watch(
                        ground.control(),
                        tenants.stream().map(Tenant::slice).toList(),
                        from,
                        from + nanos);
        for (Tenant each : tenants) {
            each.answer();
        }
        return times;
    }
}
