package facet.bench.isolation;

import facet.bench.Figure;
import facet.bench.Measurement;
import facet.bench.Options;
import facet.bench.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Many slices on one device, all of them always with work. */
public final class ManySlices implements Measurement {
    private static final int SLICES = 64;
    private static final long SETTLE_NANOS = 4_000_000_000L;
    private static final long WARMING_NANOS = 180_000_000_000L;

    @Override
    public String name() {
        return "many";
    }

    @Override
    public String about() {
        return SLICES
                + " equal burst slices, all busy: their shares, and what the daemon itself takes of"
                + " a core";
    }

    @Override
    public Table measure(Options options) throws Exception {
        Table table =
                new Table(name(), about())
                        .column("kernels", "kernels")
                        .column("mean_points", "mean error")
                        .column("worst_points", "worst error")
                        .column("lowest_ratio", "lowest, 1/64 = 1")
                        .column("highest_ratio", "highest, 1/64 = 1")
                        .column("daemon_percent", "daemon % of a core")
                        .column("threads_percent", "without workers")
                        .column("work_sum", "work, alone = 1");
        try (Ground ground = new Ground(options.daemon())) {
            List<Load> loads = List.of(Load.MILLIS_10, Load.MILLIS_1);
            ground.calibrate(loads);
            List<Tenant> tenants = new ArrayList<>();
            for (int i = 0; i < SLICES; i++) {
                tenants.add(ground.tenant("many-" + i, Share.burst(1)));
            }
            // Without being looked at: until the JVMs have compiled what many slices run.
            long warming = options.quick() ? WARMING_NANOS / 30 : WARMING_NANOS;
            work(ground, tenants, Load.MILLIS_1, warming);
            for (Load each : loads) {
                measure(table, ground, tenants, each, options);
            }
        }
        return table;
    }

    private static void work(Ground ground, List<Tenant> tenants, Load load, long nanos)
            throws IOException, InterruptedException {
        for (Tenant each : tenants) {
            ground.use(each, load);
        }
        long start = Ground.soon();
        for (Tenant each : tenants) {
            each.tell("work", start, start + nanos, load.kernels(5), 200);
        }
        for (Tenant each : tenants) {
            each.answer();
        }
    }

    private static void measure(
            Table table, Ground ground, List<Tenant> tenants, Load load, Options options)
            throws IOException, InterruptedException {
        long nanos = options.quick() ? 2_000_000_000L : 10_000_000_000L;
        long pid = ground.daemonPid();
        for (Tenant each : tenants) {
            ground.use(each, load);
        }
        double alone = ground.aloneRate(load, nanos / 5);
        long start = Ground.soon();
        long from = start + SETTLE_NANOS;
        for (Tenant each : tenants) {
            each.tell("work", start, from + nanos + SETTLE_NANOS / 10, load.kernels(5), 200);
        }
        List<String> slices = tenants.stream().map(Tenant::slice).toList();
        Pause.until(from);
        ProcessorTime before = ProcessorTime.of(pid);
        // Only at both ends: to answer is work of the daemon too.
        DeviceTimes times = new DeviceTimes();
        times.look(ground.control(), slices);
        Pause.until(from + nanos);
        times.look(ground.control(), slices);
        Map<String, Long> kinds = ProcessorTime.of(pid).since(before);
        double work = 0;
        for (Tenant each : tenants) {
            work += Progress.parse(each.answer()).rate(times.first(), times.last()) / alone;
        }
        double elapsed = times.last() - times.first();
        double workers = -100 * times.sum() / elapsed;
        double others = 0;
        StringBuilder note = new StringBuilder("kernels of " + load.text() + ", % of a core:");
        for (Map.Entry<String, Long> each : kinds.entrySet()) {
            double percent = 100 * each.getValue() / elapsed;
            if (ProcessorTime.isWorker(each.getKey())) {
                workers += percent;
            } else {
                others += percent;
            }
            if (percent >= 0.1) {
                note.append(String.format(Locale.ROOT, " %s %.1f", each.getKey(), percent));
            }
        }
        table.note(note.toString());
        report(table, load, times, others, workers, work);
    }

    /**
     * @param workers of threads that run kernels, without device time. Below zero when other
     *     programs of the machine held them up: device time goes on then.
     */
    private static void report(
            Table table, Load load, DeviceTimes times, double others, double workers, double work) {
        double fair = 100.0 / SLICES;
        double[] shares = times.shares();
        double mean =
                Arrays.stream(shares).map(each -> Math.abs(each - fair)).average().orElseThrow();
        double worst = Arrays.stream(shares).map(each -> Math.abs(each - fair)).max().orElseThrow();
        double daemon = others + Math.max(0, workers);
        Map<String, Object> row = table.row();
        row.put("kernels", load.text());
        row.put("mean_points", mean);
        row.put("worst_points", worst);
        row.put("lowest_ratio", Arrays.stream(shares).min().orElseThrow() / fair);
        row.put("highest_ratio", Arrays.stream(shares).max().orElseThrow() / fair);
        row.put("daemon_percent", daemon);
        row.put("threads_percent", others);
        row.put("work_sum", work);
        String label = SLICES + " slices with kernels of " + load.text();
        Figure.atMost(table, label + ": worst error of a share", worst, 3, " points");
        Figure.atMost(table, label + ": the daemon itself", daemon, 5, " % of a core");
    }
}
