package facet.bench;

import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.Launch;
import facet.device.Launch.Dim;
import facet.device.Stream;
import facet.device.cpu.CpuDevice;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/**
 * How long {@link Context#pause} takes while a kernel runs, at random times. One kernel is a loop
 * of seconds in each thread; the other has many blocks of 1,024 threads with 1,000 instructions and
 * no loop, so that only the end of a block halts it.
 */
final class Pause implements Measurement {
    private static final int PAUSES = 200;
    private static final int WARM_UPS = 20;
    private static final int SEED = 20250807;

    private final int cores = Runtime.getRuntime().availableProcessors();

    @Override
    public String name() {
        return "pause";
    }

    @Override
    public String about() {
        return "how long Context.pause takes while a kernel runs";
    }

    /** A launch and what it must leave in memory. */
    private record Subject(String name, Launch launch, long output, MemorySegment expected) {}

    @Override
    public Table measure(Options options) throws Exception {
        Table table =
                new Table(
                                name(),
                                "µs until pause() returns, at random times, "
                                        + cores
                                        + " cores, all busy")
                        .column("kernel", "kernel")
                        .column("median_us", "median")
                        .column("p99_us", "p99")
                        .column("worst_us", "worst")
                        .column("pauses", "pauses")
                        .column("results", "results");
        try (CpuDevice device = FacetKernel.device(cores);
                Context context = device.createContext(ContextOptions.of("pause", 64L << 20));
                Stream stream = context.createStream()) {
            measure(table, context, stream, endlessLoop(context));
            measure(table, context, stream, longBlocks(context, stream));
        }
        return table;
    }

    private Subject endlessLoop(Context context) {
        int threads = 32 * cores;
        int steps = 100_000_000;
        long output = context.allocate(4L * threads);
        var kernel = context.load(LongLoop.PTX).kernel("long_loop");
        int[] expected = new int[threads];
        for (int i = 0; i < threads; i++) {
            expected[i] = LongLoop.after(i, steps);
        }
        return new Subject(
                "loop",
                Launch.of(kernel, Dim.of(cores), Dim.of(32), steps, output),
                output,
                MemorySegment.ofArray(expected));
    }

    /** What one block alone leaves is what all leave. */
    private static Subject longBlocks(Context context, Stream stream) {
        int threads = 1_024;
        int floats = threads * SyntheticPtx.FLOATS_PER_THREAD;
        long input = context.allocate(4L * floats);
        long output = context.allocate(4L * floats);
        stream.copyToDevice(input, MemorySegment.ofArray(Inputs.values(0, floats)));
        var kernel =
                context.load(SyntheticPtx.of(SEED, FirstLaunch.INSTRUCTIONS)).kernel("synthetic");
        stream.launch(Launch.of(kernel, Dim.of(1), Dim.of(threads), input, output));
        MemorySegment expected = MemorySegment.ofArray(new int[floats]);
        stream.copyFromDevice(expected, output);
        stream.synchronize();
        return new Subject(
                "blocks without a loop",
                Launch.of(kernel, Dim.of(4_000), Dim.of(threads), input, output),
                output,
                expected);
    }

    private static void measure(Table table, Context context, Stream stream, Subject subject) {
        Random random = new Random(SEED);
        List<Double> latencies = new ArrayList<>();
        boolean right = true;
        while (latencies.size() < WARM_UPS + PAUSES) {
            stream.fill(subject.output(), 0, 4, subject.expected().byteSize() / 4);
            stream.launch(subject.launch());
            LockSupport.parkNanos(20_000_000);
            while (!stream.isIdle() && latencies.size() < WARM_UPS + PAUSES) {
                LockSupport.parkNanos(100_000 + random.nextInt(3_000_000));
                long start = System.nanoTime();
                context.pause();
                double latency = (System.nanoTime() - start) / 1e3;
                if (!stream.isIdle()) {
                    latencies.add(latency);
                }
                context.resume();
            }
            MemorySegment output =
                    MemorySegment.ofArray(new int[(int) subject.expected().byteSize() / 4]);
            stream.copyFromDevice(output, subject.output());
            stream.synchronize();
            right &= output.mismatch(subject.expected()) < 0;
        }
        List<Double> settled = latencies.subList(WARM_UPS, latencies.size());
        var row = table.row();
        row.put("kernel", subject.name());
        double median = Statistics.median(settled);
        row.put("median_us", median);
        Figure.atMost(table, "a pause of " + subject.name(), median, 1000, " us");
        row.put("p99_us", Statistics.quantile(settled, 0.99));
        row.put("worst_us", Statistics.quantile(settled, 1));
        row.put("pauses", settled.size());
        row.put("results", right ? "right" : "wrong");
        if (!right) {
            table.fail(subject.name() + ": a paused kernel left a wrong result");
        }
    }
}
