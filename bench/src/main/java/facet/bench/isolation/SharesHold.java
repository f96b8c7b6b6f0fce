package facet.bench.isolation;

import facet.bench.Figure;
import facet.bench.Measurement;
import facet.bench.Options;
import facet.bench.Statistics;
import facet.bench.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Slices that always have work, next to each other: do they get what they were promised? */
public final class SharesHold implements Measurement {
    private static final long SETTLE_NANOS = 500_000_000;

    private static final long WARM_NANOS = 20_000_000_000L;

    private static final int MOST_SLICES = 4;

    /** Promises nothing, and takes nothing from those that have a promise. */
    private static final Share IDLE = Share.priority(0);

    /** Of work that waits, for all slices together. */
    private static final double AHEAD_MILLIS = 100;

    private record Case(int[] percents, List<Load> loads) {
        String percentText() {
            return Arrays.stream(percents).mapToObj(Integer::toString).collect(joined("/"));
        }

        String loadText() {
            return loads.stream().map(Load::text).collect(joined(", "));
        }

        private static java.util.stream.Collector<CharSequence, ?, String> joined(String between) {
            return Collectors.joining(between);
        }
    }

    private static final List<Case> CASES =
            List.of(
                    of(List.of(50, 50), Load.MILLIS_1, Load.MILLIS_1),
                    of(List.of(50, 50), Load.MICROS_10, Load.MILLIS_50),
                    of(List.of(50, 50), Load.LONG_BLOCKS, Load.MILLIS_1),
                    of(List.of(70, 30), Load.MICROS_200, Load.MILLIS_10),
                    of(List.of(70, 30), Load.MILLIS_50, Load.MICROS_10),
                    of(List.of(90, 10), Load.MICROS_10, Load.LONG_BLOCKS),
                    of(List.of(90, 10), Load.MILLIS_50, Load.MICROS_200),
                    of(List.of(50, 30, 20), Load.MICROS_10, Load.MILLIS_1, Load.MILLIS_50),
                    of(
                            List.of(25, 25, 25, 25),
                            Load.MICROS_10,
                            Load.MICROS_200,
                            Load.MILLIS_10,
                            Load.LONG_BLOCKS));

    private static Case of(List<Integer> percents, Load... loads) {
        return new Case(percents.stream().mapToInt(Integer::intValue).toArray(), List.of(loads));
    }

    @Override
    public String name() {
        return "shares";
    }

    @Override
    public String about() {
        return "busy slices: distance of their device time from the promise, in points, and their"
                + " work together, alone = 1";
    }

    @Override
    public Table measure(Options options) throws Exception {
        Table table =
                new Table(name(), about())
                        .column("promised", "promised")
                        .column("policy", "policy")
                        .column("kernels", "kernels")
                        .column("shares", "had")
                        .column("error_points", "error")
                        .column("worst_second_points", "worst second")
                        .column("work", "work")
                        .column("work_sum", "sum")
                        .column("slowest_answer_ms", "slowest answer");
        try (Ground ground = new Ground(options.daemon())) {
            ground.calibrate(List.of(Load.values()));
            // The same programs in all cases, with other shares: a process of its own compiles for
            // long before it is as fast as it gets.
            List<Tenant> tenants = new ArrayList<>();
            for (int i = 0; i < MOST_SLICES; i++) {
                tenants.add(ground.tenant("share-" + i, IDLE, Load.MILLIS_1));
            }
            // Once without being looked at: until the JVM of a new daemon has compiled itself.
            together(ground, tenants, CASES.getLast(), "fixed", WARM_NANOS, new ArrayList<>());
            for (Case each : CASES) {
                for (String policy : List.of("fixed", "burst")) {
                    System.err.println(name() + ": " + label(each, policy));
                    try {
                        measure(table, ground, tenants, each, policy, options);
                    } catch (IOException e) {
                        table.fail(label(each, policy) + ": " + e.getMessage());
                    }
                }
            }
        }
        return table;
    }

    private static String label(Case which, String policy) {
        return which.percentText() + " " + policy + " (" + which.loadText() + ")";
    }

    private static void measure(
            Table table,
            Ground ground,
            List<Tenant> tenants,
            Case which,
            String policy,
            Options options)
            throws IOException, InterruptedException {
        long aloneNanos = options.quick() ? 300_000_000L : 1_500_000_000L;
        long togetherNanos = options.quick() ? 2_000_000_000L : 10_000_000_000L;
        Map<Load, List<Stretch>> alone = new EnumMap<>(Load.class);
        List<Progress> progress = new ArrayList<>();
        // All the time: it takes a little of the machine, from those who are alone as well.
        try (Witness witness = new Witness()) {
            measureAlone(ground, which, alone, aloneNanos);
            DeviceTimes times = together(ground, tenants, which, policy, togetherNanos, progress);
            measureAlone(ground, which, alone, aloneNanos);
            report(table, which, policy, times, witness.gaps(table), progress, alone);
        }
    }

    private static DeviceTimes together(
            Ground ground,
            List<Tenant> all,
            Case which,
            String policy,
            long nanos,
            List<Progress> progress)
            throws IOException, InterruptedException {
        List<Tenant> tenants = all.subList(0, which.percents.length);
        try {
            for (int i = 0; i < tenants.size(); i++) {
                tenants.get(i).change(new Share(policy, which.percents[i], 0));
                ground.use(tenants.get(i), which.loads.get(i));
            }
            long start = Ground.soon();
            long from = start + SETTLE_NANOS;
            long to = from + nanos;
            for (int i = 0; i < tenants.size(); i++) {
                double ahead = AHEAD_MILLIS * which.percents[i] / 100;
                int batch = Math.max(1, which.loads.get(i).kernels(ahead));
                tenants.get(i).tell("work", start, to + SETTLE_NANOS / 2, batch, 5);
            }
            DeviceTimes times =
                    DeviceTimes.watch(
                            ground.control(),
                            tenants.stream().map(Tenant::slice).toList(),
                            from,
                            to);
            for (Tenant each : tenants) {
                progress.add(Progress.parse(each.answer()));
            }
            return times;
        } finally {
            for (Tenant each : tenants) {
                each.change(IDLE);
            }
        }
    }

    /** Before and after: the machine has other work too, and its speed changes. */
    private static void measureAlone(
            Ground ground, Case which, Map<Load, List<Stretch>> alone, long nanos)
            throws IOException, InterruptedException {
        for (Load each : which.loads.stream().distinct().toList()) {
            alone.computeIfAbsent(each, _ -> new ArrayList<>()).add(ground.alone(each, nanos));
        }
    }

    private static void report(
            Table table,
            Case which,
            String policy,
            DeviceTimes times,
            Gaps gaps,
            List<Progress> progress,
            Map<Load, List<Stretch>> alone) {
        double[] work = new double[progress.size()];
        for (int i = 0; i < work.length; i++) {
            Stretch own = new Stretch(progress.get(i), times.first(), times.last());
            List<Double> rates =
                    alone.getOrDefault(which.loads.get(i), List.of()).stream()
                            .map(each -> each.rate(gaps))
                            .toList();
            work[i] = own.rate(gaps) / Statistics.mean(rates);
        }
        double sum = Arrays.stream(work).sum();
        double error = times.meanError(which.percents, gaps);
        double worst = times.worstError(which.percents, gaps);
        Map<String, Object> row = table.row();
        row.put("promised", which.percentText());
        row.put("policy", policy);
        row.put("kernels", which.loadText());
        row.put("shares", text("%.1f", times.shares()));
        row.put("error_points", error);
        row.put("worst_second_points", worst);
        row.put("work", text("%.3f", work));
        row.put("work_sum", sum);
        row.put("slowest_answer_ms", times.slowestAnswer() / 1e6);
        System.err.printf(
                Locale.ROOT,
                "  off by %.2f points, %.2f in the worst second; work of all %.3f%n",
                error,
                worst,
                sum);
        String label = label(which, policy);
        Figure.atMost(table, label + ": mean error of the shares", error, 2, " points");
        Figure.atMost(table, label + ": error in the worst second", worst, 5, " points");
        Figure.atLeast(table, label + ": work of all, alone = 1", sum, 0.97, "");
    }

    private static String text(String format, double[] values) {
        return Arrays.stream(values)
                .mapToObj(each -> String.format(Locale.ROOT, format, each))
                .collect(Collectors.joining("/"));
    }
}
