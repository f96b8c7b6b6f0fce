package facet.bench.direct;

import facet.bench.Figure;
import facet.bench.Measurement;
import facet.bench.Options;
import facet.bench.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Who gets how much of a device on which kernels go on to their end. */
public final class DirectShares implements Measurement {
    private static final double MOST_POINTS = 2;
    private static final double MOST_IN_A_SECOND = 5;
    private static final double LEAST_TOGETHER = 0.95;

    /** Programs find out what their kernels take, and meet. */
    private static final double BEGINNING_MILLIS = 500;

    private record Case(List<Integer> shares, List<Integer> kernels) {
        static Case of(List<Integer> shares, int... kernels) {
            return new Case(shares, Arrays.stream(kernels).boxed().collect(Collectors.toList()));
        }
    }

    private static final List<Case> CASES =
            List.of(
                    Case.of(List.of(70, 30), 10_000, 10_000),
                    Case.of(List.of(70, 30), 1_000_000, 1_000_000),
                    Case.of(List.of(70, 30), 50_000_000, 50_000_000),
                    Case.of(List.of(70, 30), 10_000, 50_000_000),
                    Case.of(List.of(90, 10), 100_000, 100_000),
                    Case.of(List.of(90, 10), 50_000_000, 1_000_000),
                    Case.of(List.of(25, 25, 25, 25), 100_000, 100_000, 100_000, 100_000),
                    Case.of(List.of(25, 25, 25, 25), 10_000, 1_000_000, 10_000_000, 50_000_000));

    @Override
    public String name() {
        return "direct-shares";
    }

    @Override
    public String about() {
        return "slices with programs that always have work: points between their share of what was"
                + " done and what was promised, over 10 s and in the worst second; what they did"
                + " together of what one does alone";
    }

    @Override
    public Table measure(Options options) throws Exception {
        Table table =
                new Table(name(), about())
                        .column("shares", "promised, %")
                        .column("kernels_us", "kernels, us")
                        .column("had", "had, %")
                        .column("points", "points off")
                        .column("second_points", "worst second")
                        .column("together", "together");
        String seconds = options.quick() ? "4" : "11";
        try (Clock clock = new Clock(options.daemon())) {
            for (Case each : CASES) {
                measure(clock, each, seconds, table);
            }
        }
        return table;
    }

    private static void measure(Clock clock, Case wanted, String seconds, Table table)
            throws Exception {
        List<Clock.Running> running = new ArrayList<>();
        for (int i = 0; i < wanted.shares().size(); i++) {
            String compute = wanted.shares().get(i).toString();
            clock.create("slice" + i, "--policy", "burst", "--compute", compute);
        }
        for (int i = 0; i < wanted.shares().size(); i++) {
            String kernel = wanted.kernels().get(i).toString();
            running.add(clock.start("slice" + i, "work", kernel, seconds));
        }
        List<Did> did = new ArrayList<>();
        for (Clock.Running each : running) {
            did.add(Did.read(each.lines()));
        }
        for (int i = 0; i < wanted.shares().size(); i++) {
            clock.delete("slice" + i);
        }
        double from = did.stream().mapToDouble(Did::first).max().orElseThrow() + BEGINNING_MILLIS;
        double to = did.stream().mapToDouble(Did::last).min().orElseThrow();
        double[] shares = shares(did, from, to);
        double off = off(shares, wanted);
        double worst = 0;
        for (double second = from; second + 1000 <= to; second += 100) {
            worst = Math.max(worst, off(shares(did, second, second + 1000), wanted));
        }
        double together =
                did.stream().mapToDouble(each -> each.between(from, to)).sum() / (to - from) / 1e6;
        Map<String, Object> row = table.row();
        String about =
                wanted.shares().stream().map(Object::toString).collect(Collectors.joining("/"));
        String kernels =
                wanted.kernels().stream()
                        .map(each -> String.valueOf(each / 1000))
                        .collect(Collectors.joining("/"));
        row.put("shares", about);
        row.put("kernels_us", kernels);
        row.put(
                "had",
                Arrays.stream(shares)
                        .mapToObj(each -> String.format(Locale.ROOT, "%.1f", each))
                        .collect(Collectors.joining("/")));
        row.put("points", off);
        row.put("second_points", worst);
        row.put("together", together);
        String what = about + " with kernels of " + kernels + " us";
        Figure.atMost(table, what, off, MOST_POINTS, " points");
        Figure.atMost(table, what + ", worst second", worst, MOST_IN_A_SECOND, " points");
        Figure.atLeast(table, what + ", together", together, LEAST_TOGETHER, " of alone");
    }

    private static double[] shares(List<Did> did, double from, double to) {
        double[] parts = did.stream().mapToDouble(each -> each.between(from, to)).toArray();
        double sum = Arrays.stream(parts).sum();
        return Arrays.stream(parts).map(each -> 100 * each / sum).toArray();
    }

    private static double off(double[] shares, Case wanted) {
        double most = 0;
        for (int i = 0; i < shares.length; i++) {
            most = Math.max(most, Math.abs(shares[i] - wanted.shares().get(i)));
        }
        return most;
    }
}
