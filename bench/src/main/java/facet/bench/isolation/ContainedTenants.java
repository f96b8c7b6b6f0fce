package facet.bench.isolation;

import com.fasterxml.jackson.databind.JsonNode;
import facet.bench.Figure;
import facet.bench.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Tenants that somebody else starts, in containers: do they get what they were promised? */
public final class ContainedTenants {
    private static final long SETTLE_NANOS = 500_000_000;
    private static final double AHEAD_MILLIS = 100;

    /** Kernels of different lengths, the short ones in the larger share. */
    private static final List<Load> LOADS = List.of(Load.MICROS_200, Load.MILLIS_10);

    private ContainedTenants() {}

    public static Table table(String name, String about) {
        return new Table(name, about)
                .column("promised", "promised")
                .column("memory_bytes", "memory")
                .column("kernels", "kernels")
                .column("shares", "had")
                .column("error_points", "error")
                .column("worst_second_points", "worst second");
    }

    /**
     * @param directory of the daemon
     * @param names of the containers' slices
     * @param percents fixed shares, as many as there are containers: two
     * @param commands that start the containers
     */
    public static void measure(
            Table table,
            Path directory,
            List<String> names,
            List<Integer> percents,
            List<ProcessBuilder> commands,
            boolean quick)
            throws IOException, InterruptedException {
        int[] promised = percents.stream().mapToInt(Integer::intValue).toArray();
        List<Tenant> tenants = new ArrayList<>();
        try (Witness witness = new Witness();
                Control control = new Control(directory)) {
            for (int i = 0; i < commands.size(); i++) {
                Load load = LOADS.get(i);
                Tenant tenant =
                        Tenant.of(new Control(directory), directory, names.get(i), commands.get(i));
                tenants.add(tenant);
                tenant.answer();
                tenant.sharePrecedence();
                // With its own share: kernels are somewhat shorter than they say.
                String rounds = tenant.ask("calibrate", load.blocks(), load.micros()).getFirst();
                tenant.ask("use", load.blocks(), rounds.replaceAll("\\D", ""));
            }
            long memory = memory(control, names);
            long start = Ground.soon();
            long from = start + SETTLE_NANOS;
            long to = from + (quick ? 2_000_000_000L : 10_000_000_000L);
            for (int i = 0; i < tenants.size(); i++) {
                int batch = LOADS.get(i).kernels(AHEAD_MILLIS * promised[i] / 100);
                tenants.get(i).tell("work", start, to + SETTLE_NANOS / 2, batch, 5);
            }
            DeviceTimes times = DeviceTimes.watch(control, names, from, to);
            report(table, promised, memory, times, witness.gaps(table));
            for (Tenant each : tenants) {
                each.answer();
            }
        } finally {
            for (Tenant each : tenants) {
                each.finish();
            }
        }
    }

    /** What each of them has; it is the same. */
    private static long memory(Control control, List<String> names) throws IOException {
        List<Long> all = new ArrayList<>();
        for (JsonNode each : control.ask("slices", Map.of()).path("slices")) {
            if (names.contains(each.path("name").asText())) {
                all.add(each.path("memory").asLong());
            }
        }
        if (all.size() != names.size() || all.stream().distinct().count() != 1) {
            throw new IOException("the containers' slices " + names + " have memory " + all);
        }
        return all.getFirst();
    }

    private static void report(
            Table table, int[] promised, long memory, DeviceTimes times, Gaps gaps) {
        double error = times.meanError(promised, gaps);
        Map<String, Object> row = table.row();
        row.put(
                "promised",
                Arrays.stream(promised)
                        .mapToObj(Integer::toString)
                        .collect(Collectors.joining("/")));
        row.put("memory_bytes", memory);
        row.put("kernels", LOADS.stream().map(Load::text).collect(Collectors.joining(", ")));
        row.put(
                "shares",
                Arrays.stream(times.shares())
                        .mapToObj(each -> String.format(Locale.ROOT, "%.1f", each))
                        .collect(Collectors.joining("/")));
        row.put("error_points", error);
        row.put("worst_second_points", times.worstError(promised, gaps));
        Figure.atMost(table, "mean error of the containers' shares", error, 2, " points");
    }
}
