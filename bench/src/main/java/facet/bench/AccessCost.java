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
    private static final int JVMS = 5;
    private static final long WARM_UP_NANOS = 2_000_000_000L;
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
    private record Result(
            double coldMicros, double runsIn100Millis, double warmNanos, double worstNanos) {}

    /** In a fresh JVM; arguments: the kind, number of accesses. */
    public static void main(String[] arguments) throws ReflectiveOperationException {
        AccessCode.Kind kind = AccessCode.Kind.valueOf(arguments[0]);
        int accesses = Integer.parseInt(arguments[1]);
        MemorySegment segment = Arena.global().allocate(AccessCode.BYTES, 64);
        long base = kind == AccessCode.Kind.SEGMENT ? 0 : segment.address();
        AccessCode.Run code = AccessCode.generate(kind, accesses);
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
            code.run(base + 4L * (i & 4_095), base, AccessCode.BYTES, segment);
        }
        return System.nanoTime() - start;
    }

    @Override
    public Table measure(Options options) throws Exception {
        Table table =
                new Table(
                                name(),
                                "warm: of an access; cold: the first run of all in a fresh JVM;"
                                        + " median of "
                                        + JVMS
                                        + " JVMs")
                        .column("accesses", "accesses")
                        .column("access", "access")
                        .column("warm_ns", "warm, ns")
                        .column("warm_worst_ns", "worst JVM")
                        .column("warm_ratio", "segment/this")
                        .column("cold_us", "cold, µs")
                        .column("cold_ratio", "segment/this")
                        .column("early_runs", "runs in 100 ms");
        for (int accesses : ACCESSES) {
            System.err.println("access: " + accesses);
            Result segment = run(AccessCode.Kind.SEGMENT, accesses);
            row(table, accesses, "segment", segment, segment);
            row(table, accesses, "Unsafe", run(AccessCode.Kind.UNSAFE, accesses), segment);
            row(
                    table,
                    accesses,
                    "Unsafe, short methods",
                    run(AccessCode.Kind.UNSAFE_SHORT, accesses),
                    segment);
        }
        return table;
    }

    private static void row(
            Table table, int accesses, String access, Result result, Result segment) {
        var row = table.row();
        row.put("accesses", accesses);
        row.put("access", access);
        row.put("warm_ns", result.warmNanos());
        row.put("warm_worst_ns", result.worstNanos());
        row.put("warm_ratio", segment.warmNanos() / result.warmNanos());
        row.put("cold_us", result.coldMicros());
        row.put("cold_ratio", segment.coldMicros() / result.coldMicros());
        row.put("early_runs", result.runsIn100Millis());
    }

    private static Result run(AccessCode.Kind kind, int accesses) throws Exception {
        List<Double> cold = new ArrayList<>();
        List<Double> early = new ArrayList<>();
        List<Double> warm = new ArrayList<>();
        for (int i = 0; i < JVMS; i++) {
            String[] words = ChildJvm.run(AccessCost.class, kind, accesses);
            cold.add(Double.parseDouble(words[0]));
            early.add(Double.parseDouble(words[1]));
            warm.add(Double.parseDouble(words[2]));
        }
        return new Result(
                Statistics.median(cold),
                Statistics.median(early),
                Statistics.median(warm),
                Statistics.quantile(warm, 1));
    }
}
