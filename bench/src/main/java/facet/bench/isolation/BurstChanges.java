package facet.bench.isolation;

import facet.bench.Figure;
import facet.bench.Measurement;
import facet.bench.Options;
import facet.bench.Statistics;
import facet.bench.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Two slices of half the device that may have more: how soon one uses what the other leaves. */
public final class BurstChanges implements Measurement {
    private static final int SEED = 11;
    private static final Load LOAD = Load.MILLIS_1;

    /** A pulse lasts once to twice as long, and so does the pause behind it. */
    private static final int PULSE_MILLIS = 60;

    /** Over which a rate is judged: some turns of the scheduler. */
    private static final long WINDOW_NANOS = 20_000_000;

    /** For which the other one is alone at first. */
    private static final long ALONE_NANOS = 1_000_000_000;

    private static final long STEP_NANOS = 100_000;
    private static final long LONGEST_NANOS = 55_000_000;
    private static final double ENOUGH = 0.9;

    /** What is wanted. */
    private static final long USED_NANOS = 20_000_000;

    private static final long BACK_NANOS = 5_000_000;

    @Override
    public String name() {
        return "burst";
    }

    @Override
    public String about() {
        return "two burst slices of 50 %, one of them idle at times: ms until the other has the"
                + " device to itself, and until half of it is given back";
    }

    @Override
    public Table measure(Options options) throws Exception {
        Table table =
                new Table(name(), about())
                        .column("what", "what")
                        .column("median_ms", "median")
                        .column("p99_ms", "p99")
                        .column("count", "changes")
                        .column("wanted_ms", "wanted");
        int pulses = options.quick() ? 10 : 200;
        try (Ground ground = new Ground(options.daemon());
                Witness witness = new Witness()) {
            ground.calibrate(List.of(LOAD));
            Tenant steady = ground.tenant("steady", Share.burst(50), LOAD);
            Tenant pulsing = ground.tenant("pulsing", Share.burst(50), LOAD);
            // Once without being looked at: until the JVM of a daemon that was just started has
            // compiled what changes of hands run. It takes a core from a seat for 30 ms at a time.
            work(steady, pulsing, pulses / 2);
            long length = length(pulses);
            steady.ask("trace", 2 * length);
            pulsing.ask("trace", length);
            Work done = work(steady, pulsing, pulses);
            report(
                    table,
                    witness.gaps(table),
                    done.pulses(),
                    new Occupation(numbers(steady.ask("traced"), "block")),
                    new Occupation(numbers(pulsing.ask("traced"), "block")),
                    done.start());
        }
        return table;
    }

    /** Milliseconds that the longest pulses and pauses would take: nobody is to run out of work. */
    private static long length(int pulses) {
        return 4L * pulses * PULSE_MILLIS + 3_000;
    }

    private record Work(long start, List<long[]> pulses) {}

    private static Work work(Tenant steady, Tenant pulsing, int pulses)
            throws IOException, InterruptedException {
        long start = Ground.soon();
        steady.tell("work", start, start + length(pulses) * 1_000_000, 50, 20);
        pulsing.tell("pulse", start + ALONE_NANOS, SEED, pulses, PULSE_MILLIS, 4);
        List<long[]> pairs = numbers(pulsing.answer(), "pulse");
        steady.answer();
        return new Work(start, pairs);
    }

    private static List<long[]> numbers(List<String> lines, String kind) throws IOException {
        List<long[]> all = new ArrayList<>();
        for (String line : lines) {
            String[] fields = line.split(" ", -1);
            if (fields[0].equals(kind)) {
                all.add(new long[] {Long.parseLong(fields[1]), Long.parseLong(fields[2])});
            }
        }
        if (all.isEmpty()) {
            throw new IOException("no lines '" + kind + "'");
        }
        return all;
    }

    private static void report(
            Table table,
            Gaps gaps,
            List<long[]> pulses,
            Occupation steady,
            Occupation pulsing,
            long start) {
        // Not from its very beginning: the queue fills.
        double alone = steady.cores(start + ALONE_NANOS / 4, start + ALONE_NANOS);
        List<Double> used = new ArrayList<>();
        List<Double> first = new ArrayList<>();
        List<Double> back = new ArrayList<>();
        for (long[] pulse : pulses) {
            long left = pulsing.lastEnd(pulse[1]);
            if (!gaps.touch(left, left + USED_NANOS + WINDOW_NANOS)) {
                used.add(until(steady, left, alone));
            }
            if (!gaps.touch(pulse[0], pulse[0] + BACK_NANOS + WINDOW_NANOS)) {
                back.add(until(pulsing, pulse[0], alone / 2));
                first.add((pulsing.nextBegin(pulse[0]) - pulse[0]) / 1e6);
            }
        }
        table.summarize("cores alone", alone);
        row(table, "what an idle slice leaves is used", used, USED_NANOS);
        row(table, "it is back: its first block runs", first, BACK_NANOS);
        row(table, "it is back: it has its half", back, BACK_NANOS);
    }

    /** Milliseconds until the blocks of the next while have nearly so many cores. */
    private static double until(Occupation occupation, long time, double cores) {
        for (long late = 0; late < LONGEST_NANOS; late += STEP_NANOS) {
            long from = time + late;
            if (occupation.cores(from, from + WINDOW_NANOS) >= ENOUGH * cores) {
                return late / 1e6;
            }
        }
        return LONGEST_NANOS / 1e6;
    }

    private static void row(Table table, String what, List<Double> values, long limitNanos) {
        double limit = limitNanos / 1e6;
        Map<String, Object> row = table.row();
        double p99 = Statistics.quantile(values, 0.99);
        row.put("what", what);
        row.put("median_ms", Statistics.median(values));
        row.put("p99_ms", p99);
        row.put("count", values.size());
        row.put("wanted_ms", limit);
        Figure.atMost(table, what + ", p99", p99, limit, " ms");
    }
}
