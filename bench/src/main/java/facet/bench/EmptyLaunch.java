package facet.bench;

import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.Launch;
import facet.device.Launch.Dim;
import facet.device.Stream;
import facet.device.cpu.CpuDevice;
import java.util.ArrayList;
import java.util.List;

/** What a launch costs by itself: the kernel {@code empty}, one block of 256 threads. */
final class EmptyLaunch implements Measurement {
    private static final int BATCH = 1_000;
    private static final int BATCHES = 60;
    private static final int SINGLES = 10_000;

    @Override
    public String name() {
        return "empty-launch";
    }

    @Override
    public String about() {
        return "cost of a launch, back to back and with a synchronize after each";
    }

    @Override
    public Table measure(Options options) throws Exception {
        Table table =
                new Table(
                                name(),
                                "µs a launch; back to back: batches of "
                                        + BATCH
                                        + ", then synchronize")
                        .column("device", "device")
                        .column("back_to_back_us", "back to back, median")
                        .column("back_to_back_best_us", "best")
                        .column("synchronized_us", "launch + synchronize, median")
                        .column("synchronized_best_us", "best")
                        .column("synchronized_p99_us", "p99");
        String ptx = Places.kernel("empty");
        for (int cores : new int[] {1, Runtime.getRuntime().availableProcessors()}) {
            measure(table, ptx, cores);
        }
        Baseline pocl = new Baseline("PoCL", "opencl");
        pocl.run("empty", 1_000, SINGLES)
                .ifPresent(turn -> {
                    var row = table.row();
                    row.put("device", "PoCL, 1 thread");
                    row.put("synchronized_us", 1e3 * turn.median());
                    row.put("synchronized_best_us", 1e3 * turn.best());
                });
        pocl.missing().ifPresent(table::note);
        return table;
    }

    private static void measure(Table table, String ptx, int cores) {
        List<Double> batches = new ArrayList<>();
        List<Double> singles = new ArrayList<>();
        try (CpuDevice device = FacetKernel.device(cores);
                Context context = device.createContext(ContextOptions.of("empty", 16L << 20));
                Stream stream = context.createStream()) {
            Launch launch = Launch.of(context.load(ptx).kernel("empty"), Dim.of(1), Dim.of(256));
            for (int i = 0; i < 2 * BATCHES; i++) {
                batches.add(launches(stream, launch, BATCH) / BATCH);
            }
            for (int i = 0; i < 2 * SINGLES; i++) {
                singles.add(launches(stream, launch, 1));
            }
        }
        // The first half warmed up.
        List<Double> settled = batches.subList(BATCHES, 2 * BATCHES);
        List<Double> settledSingles = singles.subList(SINGLES, 2 * SINGLES);
        var row = table.row();
        row.put("device", "facet, " + cores + (cores == 1 ? " core" : " cores"));
        row.put("back_to_back_us", Statistics.median(settled));
        row.put("back_to_back_best_us", Statistics.best(settled));
        double single = Statistics.median(settledSingles);
        row.put("synchronized_us", single);
        Figure.atMost(table, "an empty launch, " + row.get("device"), single, 10, " us");
        row.put("synchronized_best_us", Statistics.best(settledSingles));
        row.put("synchronized_p99_us", Statistics.quantile(settledSingles, 0.99));
    }

    /** Microseconds until all have ended. */
    private static double launches(Stream stream, Launch launch, int count) {
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            stream.launch(launch);
        }
        stream.synchronize();
        return (System.nanoTime() - start) / 1e3;
    }
}
