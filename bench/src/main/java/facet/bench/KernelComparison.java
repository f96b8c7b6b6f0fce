package facet.bench;

import facet.bench.Workload.Data;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The eight kernels on Facet, PoCL and gcc. They take turns, so that other work on the machine
 * disturbs all of them; of each the best launch counts, and the median shows the disturbance.
 */
final class KernelComparison implements Measurement {
    private static final int WARM_UPS = 10;
    private static final double SETTLE_MILLISECONDS = 1_500;
    private static final double TURN_MILLISECONDS = 2_500;

    private final int cores = Runtime.getRuntime().availableProcessors();
    private final List<Double> ratios = new ArrayList<>();
    private final List<Double> scalings = new ArrayList<>();
    private final List<Double> medianRatios = new ArrayList<>();
    private String lowest = "";

    @Override
    public String name() {
        return "kernels";
    }

    @Override
    public String about() {
        return "eight kernels beside PoCL and gcc";
    }

    @Override
    public Set<String> parts() {
        return new LinkedHashSet<>(Workloads.names());
    }

    @Override
    public Table measure(Options options) throws Exception {
        Table table = table(options);
        Baseline pocl = new Baseline("PoCL", "opencl");
        Baseline gcc = new Baseline("gcc", "native");
        Baseline.build();
        boolean all = Workloads.names().stream().noneMatch(options.only()::contains);
        for (Workload workload : Workloads.ALL) {
            if (all || options.only().contains(workload.name())) {
                System.err.println("kernels: " + workload.name());
                compare(workload, pocl, gcc, options, table);
            }
        }
        for (Baseline each : List.of(pocl, gcc)) {
            each.missing().ifPresent(table::note);
        }
        if (!ratios.isEmpty()) {
            double mean = Statistics.geometricMean(ratios);
            double least = Statistics.best(ratios);
            table.summarize("PoCL/facet, geometric mean", mean);
            table.summarize("PoCL/facet, lowest", least);
            if (all) {
                Figure.atLeast(table, "PoCL/facet, geometric mean", mean, 1, "");
                Figure.atLeast(table, "PoCL/facet, lowest", least, 0.5, "");
            }
            table.summarize("lowest of", lowest);
            table.summarize(
                    "PoCL/facet of medians, geometric mean",
                    Statistics.geometricMean(medianRatios));
        }
        // What is promised is from one core to two; where there are more, or one, nothing was.
        if (!scalings.isEmpty()) {
            double mean = Statistics.geometricMean(scalings);
            table.summarize("1→" + cores + ", geometric mean", mean);
            table.summarize("1→" + cores + ", lowest", Statistics.best(scalings));
            if (all && cores == 2) {
                Figure.atLeast(table, "1→2 cores, geometric mean", mean, 1.8, "");
            } else if (all) {
                table.note("1.8 times from one core to two: this machine has " + cores);
            }
        }
        return table;
    }

    private Table table(Options options) {
        return new Table(
                        name(),
                        "ms, best launch and median; "
                                + options.rounds()
                                + " rounds of "
                                + options.runs()
                                + " launches; a ratio above 1: Facet on one core is faster")
                .column("kernel", "kernel")
                .column("facet_1_ms", "facet 1 core")
                .column("facet_1_median_ms", "median")
                .column("pocl_ms", "PoCL")
                .column("pocl_median_ms", "median")
                .column("pocl_ratio", "PoCL/facet")
                .column("gcc_ms", "gcc")
                .column("gcc_median_ms", "median")
                .column("gcc_ratio", "gcc/facet")
                .column("facet_all_ms", "facet " + cores + " cores")
                .column("facet_all_median_ms", "median")
                .column("scaling", "1→" + cores);
    }

    private void compare(
            Workload workload, Baseline pocl, Baseline gcc, Options options, Table table)
            throws Exception {
        Map<String, Object> row = table.row();
        row.put("kernel", workload.name());
        Data data = workload.data().get();
        double[] expected = workload.expected(data);
        String ptx = Places.kernel(workload.name());
        Times one = new Times();
        Times all = new Times();
        Times poclTimes = new Times();
        Times gccTimes = new Times();
        try (FacetKernel oneCore = new FacetKernel(workload, data, ptx, 1);
                FacetKernel allCores = new FacetKernel(workload, data, ptx, cores)) {
            for (FacetKernel each : List.of(oneCore, allCores)) {
                each.launch();
                workload.check(data.integers(), each.output(data.count()), expected);
                each.warmUp(WARM_UPS, SETTLE_MILLISECONDS);
            }
            for (int round = 0; round < options.rounds(); round++) {
                turn(oneCore, one, options);
                turn(pocl, workload, poclTimes, options);
                turn(gcc, workload, gccTimes, options);
                turn(allCores, all, options);
            }
        } catch (RuntimeException e) {
            table.fail(workload.name() + ": " + e.getMessage());
            return;
        }
        one.put(row, "facet_1");
        poclTimes.put(row, "pocl");
        gccTimes.put(row, "gcc");
        all.put(row, "facet_all");
        row.put("scaling", one.best() / all.best());
        scalings.add(one.best() / all.best());
        if (!gccTimes.isEmpty()) {
            row.put("gcc_ratio", gccTimes.best() / one.best());
        }
        if (!poclTimes.isEmpty()) {
            double ratio = poclTimes.best() / one.best();
            row.put("pocl_ratio", ratio);
            lowest = ratios.stream().allMatch(each -> each > ratio) ? workload.name() : lowest;
            ratios.add(ratio);
            medianRatios.add(poclTimes.median() / one.median());
        }
    }

    /** The untimed launches bring the data back into the caches that the others used. */
    private static void turn(FacetKernel kernel, Times times, Options options) {
        kernel.times(WARM_UPS, TURN_MILLISECONDS / 2);
        List<Double> launches = kernel.times(options.runs(), TURN_MILLISECONDS);
        times.add(Statistics.best(launches), Statistics.median(launches));
    }

    private static void turn(Baseline baseline, Workload workload, Times times, Options options)
            throws InterruptedException {
        Optional<Baseline.Turn> turn = baseline.run(workload.name(), WARM_UPS, options.runs());
        if (turn.isPresent()) {
            workload.checkSum(turn.get().checksum());
            times.add(turn.get().best(), turn.get().median());
        }
    }
}
