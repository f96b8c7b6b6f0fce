package facet.bench.direct;

import facet.bench.Figure;
import facet.bench.Measurement;
import facet.bench.Options;
import facet.bench.Table;
import java.util.List;
import java.util.Map;

/** Requests of a slice that comes first, beside one that always has work. */
public final class DirectPriority implements Measurement {
    /** So long kernels of the other one take: what cannot be interrupted is waited for. */
    private static final List<Integer> KERNELS = List.of(10_000, 1_000_000, 50_000_000);

    /** The same for kernels that come in ranges: no kernel is waited for to its end. */
    private static final List<Integer> IN_RANGES = List.of(50_000_000, 500_000_000);

    private static final String REQUEST = "1000000";

    @Override
    public String name() {
        return "direct-priority";
    }

    @Override
    public String about() {
        return "milliseconds that requests of 1 ms take in a slice with priority, alone and beside"
                + " kernels of another: median and p99; wanted is 1.5 times alone, 5 ms, and one"
                + " kernel unless it comes in ranges";
    }

    @Override
    public Table measure(Options options) throws Exception {
        Table table =
                new Table(name(), about())
                        .column("beside_us", "beside kernels of, us")
                        .column("form", "launched")
                        .column("median_ms", "median")
                        .column("p99_ms", "p99")
                        .column("wanted_ms", "wanted");
        double seconds = options.quick() ? 3 : 10;
        try (Clock clock = new Clock(options.daemon())) {
            clock.create("first", "--policy", "priority", "--priority", "10");
            clock.create("work", "--policy", "burst", "--compute", "50");
            double alone = report(table, "", "", requests(clock, seconds), 0);
            for (int kernel : KERNELS) {
                double wanted = 1.5 * alone + 5 + kernel / 1e6;
                beside(clock, table, new Beside(kernel, "whole"), seconds, wanted);
            }
            for (int kernel : IN_RANGES) {
                beside(clock, table, new Beside(kernel, "ranges"), seconds, 1.5 * alone + 5);
            }
        }
        return table;
    }

    /** What the other one has: kernels of so many nanoseconds. */
    private record Beside(int kernel, String form) {}

    private static void beside(
            Clock clock, Table table, Beside other, double seconds, double wanted)
            throws Exception {
        String word = other.form.equals("whole") ? "work" : other.form;
        Clock.Running work =
                clock.start(
                        "work", word, String.valueOf(other.kernel), String.valueOf(seconds + 2));
        String micros = String.valueOf(other.kernel / 1000);
        double p99 = report(table, micros, other.form, requests(clock, seconds), wanted);
        work.lines();
        Figure.atMost(
                table, "beside kernels of " + micros + " us, " + other.form, p99, wanted, " ms");
    }

    private static double[] requests(Clock clock, double seconds) throws Exception {
        return clock
                .start("first", "requests", REQUEST, String.valueOf(seconds), "10000")
                .lines()
                .stream()
                .mapToDouble(Double::parseDouble)
                .sorted()
                .map(each -> each / 1000)
                .toArray();
    }

    private static double report(
            Table table, String beside, String form, double[] sorted, double wanted) {
        double p99 = sorted[Math.min(sorted.length - 1, sorted.length * 99 / 100)];
        Map<String, Object> row = table.row();
        row.put("beside_us", beside);
        row.put("form", form);
        row.put("median_ms", sorted[sorted.length / 2]);
        row.put("p99_ms", p99);
        if (wanted > 0) {
            row.put("wanted_ms", wanted);
        }
        return p99;
    }
}
