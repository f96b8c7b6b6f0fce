package facet.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Why kernels use {@code jdk.internal.misc.Unsafe} with a check of their own and not MemorySegment:
 * methods of many accesses both ways. The segment is of the global arena, which costs it least.
 */
final class AccessCost implements Measurement {
    private static final int[] ACCESSES = {50, 200, 800};
    private static final int JVMS = 3;
    private static final long WARM_UP_NANOS = 3_000_000_000L;
    private static final int BATCH_ACCESSES = 4_000_000;
    private static final int BATCHES = 15;

    @Override
    public String name() {
        return "access";
    }

    @Override
    public String about() {
        return "an access by Unsafe with a check beside one by MemorySegment";
    }

    /** What one JVM found. */
    private record Result(double coldMicros, double runsIn100Millis, double warmNanos) {}

    /** In a fresh JVM; arguments: unsafe or segment, number of accesses. */
    public static void main(String[] arguments) throws ReflectiveOperationException {
        boolean unsafe = arguments[0].equals("unsafe");
        int accesses = Integer.parseInt(arguments[1]);
        MemorySegment segment = Arena.global().allocate(AccessCode.BYTES, 64);
        long base = unsafe ? segment.address() : 0;
        AccessCode.Run code = AccessCode.generate(unsafe, accesses);
        long start = System.nanoTime();
        code.run(base, base, AccessCode.BYTES, segment);
        double cold = (System.nanoTime() - start) / 1e3;
        long early = 1;
        while (System.nanoTime() - start < 100_000_000) {
            code.run(base, base, AccessCode.BYTES, segment);
            early++;
        }
        while (System.nanoTime() - start < WARM_UP_NANOS) {
            runs(code, base, segment, 100);
        }
        int runs = BATCH_ACCESSES / accesses;
        List<Double> times = new ArrayList<>();
        for (int i = 0; i < BATCHES; i++) {
            times.add(runs(code, base, segment, runs) / ((double) runs * accesses));
        }
        System.out.println(cold + " " + early + " " + Statistics.best(times));
    }

    private static long runs(AccessCode.Run code, long base, MemorySegment segment, int runs) {
        long start = System.nanoTime();
        for (int i = 0; i < runs; i++) {
            // Another address each time, as threads have; otherwise checks leave the loop.
            code.run(base + 4 * (i & 4_095), base, AccessCode.BYTES, segment);
        }
        return System.nanoTime() - start;
    }

    @Override
    public Table measure(Options options) throws Exception {
        Table table =
                new Table(name(), "warm: ns an access; cold: µs of the first run of a fresh JVM; median of " + JVMS)
                        .column("accesses", "accesses")
                        .column("unsafe_ns", "warm: Unsafe")
                        .column("segment_ns", "segment")
                        .column("warm_ratio", "ratio")
                        .column("unsafe_cold_us", "cold: Unsafe")
                        .column("segment_cold_us", "segment")
                        .column("cold_ratio", "ratio")
                        .column("unsafe_early_runs", "runs in 100 ms: Unsafe")
                        .column("segment_early_runs", "segment");
        for (int accesses : ACCESSES) {
            System.err.println("access: " + accesses);
            Result unsafe = run("unsafe", accesses);
            Result segment = run("segment", accesses);
            var row = table.row();
            row.put("accesses", accesses);
            row.put("unsafe_ns", unsafe.warmNanos());
            row.put("segment_ns", segment.warmNanos());
            row.put("warm_ratio", segment.warmNanos() / unsafe.warmNanos());
            row.put("unsafe_cold_us", unsafe.coldMicros());
            row.put("segment_cold_us", segment.coldMicros());
            row.put("cold_ratio", segment.coldMicros() / unsafe.coldMicros());
            row.put("unsafe_early_runs", unsafe.runsIn100Millis());
            row.put("segment_early_runs", segment.runsIn100Millis());
        }
        return table;
    }

    private static Result run(String kind, int accesses) throws Exception {
        List<Double> cold = new ArrayList<>();
        List<Double> early = new ArrayList<>();
        List<Double> warm = new ArrayList<>();
        for (int i = 0; i < JVMS; i++) {
            String[] words = ChildJvm.run(AccessCost.class, kind, accesses);
            cold.add(Double.parseDouble(words[0]));
            early.add(Double.parseDouble(words[1]));
            warm.add(Double.parseDouble(words[2]));
        }
        return new Result(Statistics.median(cold), Statistics.median(early), Statistics.median(warm));
    }
}
