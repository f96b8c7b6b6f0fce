package facet.bench.direct;

import facet.bench.Figure;
import facet.bench.Measurement;
import facet.bench.Options;
import facet.bench.Table;
import java.util.List;
import java.util.Map;

/** What a program that is alone does of what it would do without the direct engine. */
public final class DirectAlone implements Measurement {
    private static final double LEAST = 0.98;
    private static final List<Integer> KERNELS = List.of(10_000, 1_000_000, 50_000_000);

    @Override
    public String name() {
        return "direct-alone";
    }

    @Override
    public String about() {
        return "kernels done in the same time, with the direct engine before the driver, of those"
                + " done without; best of some turns each";
    }

    @Override
    public Table measure(Options options) throws Exception {
        Table table =
                new Table(name(), about())
                        .column("kernel_us", "kernel, us")
                        .column("of_alone", "of the driver's own")
                        .column("wanted", "wanted");
        int rounds = options.quick() ? 1 : 3;
        try (Clock clock = new Clock(options.daemon())) {
            clock.create("alone", "--policy", "burst", "--compute", "50");
            for (int kernel : KERNELS) {
                double vendor = 0;
                double direct = 0;
                String text = String.valueOf(kernel);
                for (int i = 0; i < rounds; i++) {
                    vendor = Math.max(vendor, rate(clock.startOnVendor("work", text, "3")));
                    direct = Math.max(direct, rate(clock.start("alone", "work", text, "3")));
                }
                Map<String, Object> row = table.row();
                row.put("kernel_us", kernel / 1000);
                row.put("of_alone", direct / vendor);
                row.put("wanted", LEAST);
                Figure.atLeast(
                        table,
                        "alone, kernels of " + kernel / 1000 + " us",
                        direct / vendor,
                        LEAST,
                        "");
            }
        }
        return table;
    }

    private static double rate(Clock.Running running) throws Exception {
        Did did = Did.read(running.lines());
        double from = did.first() + 500;
        return did.between(from, did.last()) / (did.last() - from);
    }
}
