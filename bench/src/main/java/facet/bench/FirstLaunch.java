package facet.bench;

import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.Launch;
import facet.device.Launch.Dim;
import facet.device.Stream;
import facet.device.cpu.CpuDevice;
import java.util.ArrayList;
import java.util.List;

/**
 * From PTX text to the end of the first launch: parsing, compiling, and one block of 256 threads in
 * the JVM's interpreter. Every repetition has a text of its own, so that no cache helps.
 */
final class FirstLaunch implements Measurement {
    static final int INSTRUCTIONS = 1_000;

    private static final int THREADS = 256;
    private static final int FRESH = 5;
    private static final int LATER = 100;

    @Override
    public String name() {
        return "first-launch";
    }

    @Override
    public String about() {
        return "from PTX text to the end of the first launch, 1,000 instructions";
    }

    /** In a fresh JVM: prints the milliseconds of its first text. */
    public static void main(String[] arguments) {
        try (CpuDevice device = CpuDevice.create();
                Context context = device.createContext(options())) {
            long in = buffer(context);
            long out = buffer(context);
            System.out.println(once(context, in, out, Long.parseLong(arguments[0])));
        }
    }

    @Override
    public Table measure(Options options) throws Exception {
        Table table =
                new Table(name(), "ms, " + INSTRUCTIONS + " instructions, " + THREADS + " threads")
                        .column("case", "case")
                        .column("median_ms", "median")
                        .column("best_ms", "best")
                        .column("worst_ms", "worst")
                        .column("repetitions", "repetitions");
        List<Double> fresh = new ArrayList<>();
        List<Double> processes = new ArrayList<>();
        for (int i = 0; i < FRESH; i++) {
            long start = System.nanoTime();
            fresh.add(Double.parseDouble(ChildJvm.run(FirstLaunch.class, 1_000_000 + i)[0]));
            processes.add((System.nanoTime() - start) / 1e6);
        }
        List<Double> later = new ArrayList<>();
        try (CpuDevice device = CpuDevice.create();
                Context context = device.createContext(options())) {
            long in = buffer(context);
            long out = buffer(context);
            for (int i = 0; i <= LATER; i++) {
                later.add(once(context, in, out, i));
            }
        }
        later.removeFirst();
        row(table, "first text of a fresh JVM", fresh);
        Figure.atMost(table, "first text of a fresh JVM", Statistics.median(fresh), 300, " ms");
        row(table, "the same with the start of the JVM and its end", processes);
        row(table, "later texts", later);
        row(table, "last 20 of them", later.subList(LATER - 20, LATER));
        return table;
    }

    private static void row(Table table, String what, List<Double> times) {
        var row = table.row();
        row.put("case", what);
        row.put("median_ms", Statistics.median(times));
        row.put("best_ms", Statistics.best(times));
        row.put("worst_ms", Statistics.quantile(times, 1));
        row.put("repetitions", times.size());
    }

    private static ContextOptions options() {
        return ContextOptions.of("first launch", 64L << 20);
    }

    private static long buffer(Context context) {
        return context.allocate(4L * SyntheticPtx.FLOATS_PER_THREAD * THREADS);
    }

    private static double once(Context context, long in, long out, long seed) {
        String ptx = SyntheticPtx.of(seed, INSTRUCTIONS);
        try (Stream stream = context.createStream()) {
            long start = System.nanoTime();
            var kernel = context.load(ptx).kernel("synthetic");
            stream.launch(Launch.of(kernel, Dim.of(1), Dim.of(THREADS), in, out));
            stream.synchronize();
            return (System.nanoTime() - start) / 1e6;
        }
    }
}
