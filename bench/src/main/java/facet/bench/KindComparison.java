package facet.bench;

import facet.bench.Workload.Data;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Kernels of kinds that programs often have, beside gcc's code for the same loop. They take turns,
 * as {@link KernelComparison}'s do.
 */
final class KindComparison implements Measurement {
    private static final int WARM_UPS = 10;
    private static final double SETTLE_MILLISECONDS = 2_500;
    private static final double TURN_MILLISECONDS = 1_000;
    private static final double PROMISED = 0.5;

    private final List<Double> ratios = new ArrayList<>();

    @Override
    public String name() {
        return "kinds";
    }

    @Override
    public String about() {
        return "kernels of twelve kinds beside gcc";
    }

    @Override
    public Set<String> parts() {
        return new LinkedHashSet<>(Kinds.names());
    }

    @Override
    public Table measure(Options options) throws Exception {
        Table table =
                new Table(
                                name(),
                                "ms on one core, best launch and median; a ratio above 1: Facet is"
                                        + " faster")
                        .column("kernel", "kernel")
                        .column("facet_1_ms", "facet")
                        .column("facet_1_median_ms", "median")
                        .column("gcc_ms", "gcc")
                        .column("gcc_median_ms", "median")
                        .column("gcc_ratio", "gcc/facet");
        Baseline gcc = new Baseline("gcc", "kinds");
        Baseline.build();
        boolean all = Kinds.names().stream().noneMatch(options.only()::contains);
        for (Kind kind : Kinds.ALL) {
            if (all || options.only().contains(kind.name())) {
                System.err.println("kinds: " + kind.name());
                compare(kind, gcc, options, table);
            }
        }
        gcc.missing().ifPresent(table::note);
        if (!ratios.isEmpty()) {
            double least = Statistics.best(ratios);
            table.summarize("gcc/facet, geometric mean", Statistics.geometricMean(ratios));
            table.summarize("gcc/facet, lowest", least);
            if (all) {
                Figure.atLeast(table, "gcc/facet, lowest", least, PROMISED, "");
            }
        }
        return table;
    }

    private void compare(Kind kind, Baseline gcc, Options options, Table table) throws Exception {
        Map<String, Object> row = table.row();
        row.put("kernel", kind.name());
        Data data = kind.data().get();
        Times ours = new Times();
        Times theirs = new Times();
        try (FacetKernel kernel =
                new FacetKernel(
                        kind.name(),
                        kind.grid(),
                        kind.block(),
                        kind.scalars(),
                        data,
                        Places.kernel("kinds/" + kind.file()),
                        1)) {
            check(kind, data, kernel);
            kernel.warmUp(WARM_UPS, SETTLE_MILLISECONDS);
            for (int round = 0; round < options.rounds(); round++) {
                kernel.times(WARM_UPS, TURN_MILLISECONDS / 2);
                List<Double> launches = kernel.times(options.runs(), TURN_MILLISECONDS);
                ours.add(Statistics.best(launches), Statistics.median(launches));
                Optional<Baseline.Turn> turn = gcc.run(kind.name(), WARM_UPS, options.runs());
                if (turn.isPresent()) {
                    kind.check(data.integers(), turn.get().checksum());
                    theirs.add(turn.get().best(), turn.get().median());
                }
            }
            // Once more: by now other code runs than at first.
            check(kind, data, kernel);
        } catch (RuntimeException e) {
            table.fail(kind.name() + ": " + e.getMessage());
            return;
        }
        ours.put(row, "facet_1");
        theirs.put(row, "gcc");
        if (!theirs.isEmpty()) {
            row.put("gcc_ratio", theirs.best() / ours.best());
            ratios.add(theirs.best() / ours.best());
        }
    }

    private static void check(Kind kind, Data data, FacetKernel kernel) {
        kernel.launch();
        kind.check(data.integers(), Kind.checksum(data.integers(), kernel.output(data.count())));
    }
}
