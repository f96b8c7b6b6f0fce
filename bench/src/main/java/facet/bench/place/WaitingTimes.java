package facet.bench.place;

import facet.bench.Measurement;
import facet.bench.Options;
import facet.bench.Statistics;
import facet.bench.Table;
import facet.place.Policies;
import facet.sim.Crowding;
import facet.sim.Replay;
import facet.sim.RuleSets;
import facet.sim.Seeds;
import facet.sim.Trace;
import facet.sim.Waits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * How long tasks wait when they come and go at the trace's own times, on so few nodes that in the
 * busiest moment they ask for 130 % of them.
 */
public final class WaitingTimes implements Measurement {
    private static final double CROWD = 1.3;

    @Override
    public String name() {
        return "waiting";
    }

    @Override
    public String about() {
        return "seconds that tasks wait, and devices in use, by policy and rules; default trace";
    }

    @Override
    public Table measure(Options options) throws Exception {
        Trace trace = OpenTraces.read(options.traces(), OpenTraces.DEFAULT);
        List<Long> seeds = Seeds.parse(options.quick() ? "42-43" : "42-51");
        Table table =
                new Table(name(), about() + "; mean of " + seeds.size() + " seeds")
                        .column("policy", "policy")
                        .column("rules", "rules")
                        .column("p50_s", "p50 s")
                        .column("p99_s", "p99 s")
                        .column("mean_s", "mean s")
                        .column("urgent_p50_s", "urgent p50 s")
                        .column("urgent_p99_s", "urgent p99 s")
                        .column("urgent_by_demand_s", "urgent mean by demand s")
                        .column("middle_p99_s", "middle p99 s")
                        .column("middle_by_demand_s", "middle mean by demand s")
                        .column("low_p50_s", "low p50 s")
                        .column("low_p99_s", "low p99 s")
                        .column("allocated", "allocated %")
                        .column("preempted", "preempted")
                        .column("moved", "moved")
                        .column("lost", "lost %")
                        .column("never", "never");
        for (String rules : RuleSets.NAMES) {
            for (String policy : List.of("best-fit", "fgd", Policies.OURS)) {
                List<Replay> runs = new ArrayList<>();
                for (long seed : seeds) {
                    Trace crowded = Crowding.of(trace, CROWD, seed);
                    runs.add(Replay.run(crowded, Policies.named(policy), rules, seed));
                }
                Map<String, Object> row = table.row();
                row.put("policy", policy);
                row.put("rules", rules);
                row.put("p50_s", mean(runs, Replay::waitMedian));
                row.put("p99_s", mean(runs, Replay::waitMost99));
                row.put("mean_s", mean(runs, Replay::waitMean));
                row.put("urgent_p50_s", ofClass(runs, 0, Waits::median));
                row.put("urgent_p99_s", ofClass(runs, 0, Waits::most99));
                row.put("urgent_by_demand_s", ofClass(runs, 0, Waits::byDemand));
                row.put("middle_p99_s", ofClass(runs, 1, Waits::most99));
                row.put("middle_by_demand_s", ofClass(runs, 1, Waits::byDemand));
                row.put("low_p50_s", ofClass(runs, 2, Waits::median));
                row.put("low_p99_s", ofClass(runs, 2, Waits::most99));
                row.put("allocated", mean(runs, Replay::allocation));
                row.put("preempted", mean(runs, Replay::preemptions));
                row.put("moved", mean(runs, Replay::moves));
                row.put("lost", mean(runs, Replay::lost));
                row.put("never", mean(runs, Replay::never));
            }
        }
        return table;
    }

    /**
     * @param number of the class, the most urgent is the first
     */
    private static double ofClass(List<Replay> runs, int number, ToDoubleFunction<Waits> figure) {
        return mean(runs, each -> figure.applyAsDouble(each.classes().get(number)));
    }

    private static double mean(List<Replay> runs, ToDoubleFunction<Replay> figure) {
        return Statistics.mean(runs.stream().map(figure::applyAsDouble).toList());
    }
}
