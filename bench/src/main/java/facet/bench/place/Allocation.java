package facet.bench.place;

import facet.bench.Figure;
import facet.bench.Measurement;
import facet.bench.Options;
import facet.bench.Statistics;
import facet.bench.Table;
import facet.place.Policies;
import facet.place.Policy;
import facet.sim.Filling;
import facet.sim.Seeds;
import facet.sim.Trace;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How much of all devices is in use when requests for 130 % of them have arrived. Also what the
 * authors of FGD published, to see that their policies are the same here.
 */
public final class Allocation implements Measurement {
    private static final double UNTIL = 1.3;
    private static final double PROMISED = 95.6;

    /** Ours, and their names. */
    private static final Map<String, String> PUBLISHED = new LinkedHashMap<>();

    static {
        PUBLISHED.put("fgd", "FGD");
        PUBLISHED.put("best-fit", "BestFit");
        PUBLISHED.put("packing", "GpuPacking");
        PUBLISHED.put("dot-product", "DotProd");
        PUBLISHED.put("random", "Random");
    }

    @Override
    public String name() {
        return "allocation";
    }

    @Override
    public String about() {
        return "percent of all devices in use at 130 % of demand, by trace and policy";
    }

    @Override
    public Set<String> parts() {
        return OpenTraces.NAMES;
    }

    @Override
    public Table measure(Options options) throws Exception {
        List<Long> seeds = Seeds.parse(options.quick() ? "42-43" : "42-51");
        Table table =
                new Table(name(), about() + "; mean of " + seeds.size() + " seeds (published)")
                        .column("trace", "trace")
                        .column(Policies.OURS, Policies.OURS);
        PUBLISHED.keySet().forEach(each -> table.column(each, each));
        table.column("best_published", "best published");
        Map<String, Double> published = OpenTraces.published(options.traces());
        if (published.isEmpty()) {
            table.note("no published results in " + options.traces() + "; --traces names a folder");
        }
        List<String> names =
                OpenTraces.NAMES.stream().filter(each -> isWanted(each, options)).toList();
        for (String name : names) {
            row(table, OpenTraces.read(options.traces(), name), seeds, published);
        }
        return table;
    }

    private boolean isWanted(String trace, Options options) {
        return options.only().contains(trace)
                || options.only().stream().noneMatch(OpenTraces.NAMES::contains)
                        && (!options.quick() || trace.equals(OpenTraces.DEFAULT));
    }

    private static void row(
            Table table, Trace trace, List<Long> seeds, Map<String, Double> published) {
        System.err.println("  " + trace.name());
        Map<String, Object> row = table.row();
        row.put("trace", trace.name());
        double ours = mean(trace, Policies.named(Policies.OURS), seeds);
        row.put(Policies.OURS, rounded(ours));
        double best = 0;
        double bestHere = 0;
        for (Map.Entry<String, String> each : PUBLISHED.entrySet()) {
            double here = mean(trace, Policies.named(each.getKey()), seeds);
            bestHere = Math.max(bestHere, here);
            Double there = published.get(trace.name() + "/" + each.getValue());
            best = Math.max(best, there == null ? 0 : there);
            row.put(
                    each.getKey(),
                    rounded(here) + (there == null ? "" : " (" + rounded(there) + ")"));
        }
        row.put("best_published", best == 0 ? "" : rounded(best));
        if (trace.name().equals(OpenTraces.DEFAULT)) {
            Figure.atLeast(table, "allocation on the default trace", ours, PROMISED, " %");
        }
        String than = best == 0 ? "the best of theirs here" : "the best published";
        Figure.atLeast(table, trace.name() + ", " + than, ours, best == 0 ? bestHere : best, " %");
    }

    private static double mean(Trace trace, Policy policy, List<Long> seeds) {
        List<Double> all = new ArrayList<>();
        for (long seed : seeds) {
            all.add(Filling.run(trace, policy, UNTIL, seed).allocation());
        }
        return Statistics.mean(all);
    }

    private static String rounded(double percent) {
        return String.format(java.util.Locale.ROOT, "%.2f", percent);
    }
}
