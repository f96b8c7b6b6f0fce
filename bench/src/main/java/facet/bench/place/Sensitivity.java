package facet.bench.place;

import facet.bench.Measurement;
import facet.bench.Options;
import facet.bench.Table;
import facet.sim.Seeds;
import facet.sim.shape.Development;
import facet.sim.shape.Inference;
import facet.sim.shape.Service;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The days of {@link Shapes} with one assumption changed at a time, up to where the result does not
 * hold any more: 35 devices for 100 services, 35 % in use with environments.
 */
public final class Sensitivity implements Measurement {
    private static final double FEW = 35;
    private static final double BUSY = 35;

    private record Inferences(String what, Inference.Assumptions assumed) {}

    private record Developments(String what, Development.Assumptions assumed) {}

    @Override
    public String name() {
        return "sensitivity";
    }

    @Override
    public String about() {
        return "the shapes with one assumption changed at a time; the worst of the seeds";
    }

    @Override
    public Table measure(Options options) {
        List<Long> seeds = Seeds.parse(options.quick() ? "42" : "42-44");
        Table table =
                new Table(name(), about())
                        .column("shape", "shape")
                        .column("assumption", "assumption")
                        .column("before", "before")
                        .column("after", "after")
                        .column("p99_ms", "worst p99 ms")
                        .column("holds", "holds");
        for (Inferences each : inferences()) {
            System.err.println("  " + each.what());
            row(table, each, seeds);
        }
        for (Developments each : developments()) {
            System.err.println("  " + each.what());
            row(table, each, seeds);
        }
        return table;
    }

    private static List<Inferences> inferences() {
        List<Inferences> all = new ArrayList<>();
        Service.Kinds usual = Inference.USUAL.services();
        all.add(new Inferences("as it is", Inference.USUAL));
        for (double promise : new double[] {50, 100, 150, 400}) {
            all.add(
                    new Inferences(
                            "promise " + (int) promise + " ms",
                            new Inference.Assumptions(usual, promise)));
        }
        for (double more : new double[] {0.1, 0.15, 0.25, 0.3}) {
            all.add(of("mean peak " + decimal(usual.smallest() + more), more, usual.most(), usual));
        }
        for (double most : new double[] {0.4, 0.8, 1.0}) {
            all.add(of("largest peak " + decimal(most), usual.more(), most, usual));
        }
        for (double shortest : new double[] {1, 4, 8}) {
            String what = "requests of %d to %d ms".formatted((int) shortest, (int) (4 * shortest));
            all.add(of(what, usual, shortest, usual.trough(), usual.evening()));
        }
        for (double trough : new double[] {0, 0.5, 1}) {
            String what = "quietest hour " + decimal(trough) + " of the peak";
            all.add(of(what, usual, usual.shortest(), trough, usual.evening()));
        }
        for (double evening : new double[] {0.4, 1}) {
            String what = decimal(evening) + " of services busiest in the evening";
            all.add(of(what, usual, usual.shortest(), usual.trough(), evening));
        }
        return all;
    }

    private static Inferences of(String what, double more, double most, Service.Kinds usual) {
        Service.Kinds kinds =
                new Service.Kinds(
                        usual.count(),
                        usual.smallest(),
                        more,
                        most,
                        usual.shortest(),
                        usual.trough(),
                        usual.evening());
        return new Inferences(what, new Inference.Assumptions(kinds, Inference.USUAL.promise()));
    }

    private static Inferences of(
            String what, Service.Kinds usual, double shortest, double trough, double evening) {
        Service.Kinds kinds =
                new Service.Kinds(
                        usual.count(),
                        usual.smallest(),
                        usual.more(),
                        usual.most(),
                        shortest,
                        trough,
                        evening);
        return new Inferences(what, new Inference.Assumptions(kinds, Inference.USUAL.promise()));
    }

    private static List<Developments> developments() {
        List<Developments> all = new ArrayList<>();
        Development.Assumptions usual = Development.USUAL;
        Service.Kinds kinds = usual.services();
        all.add(new Developments("as it is", usual));
        for (double active : new double[] {0.1, 0.2, 0.25, 0.3, 0.5}) {
            all.add(
                    new Developments(
                            "active for " + decimal(active) + " of the busiest hour",
                            of(kinds, usual.promised(), usual.burst(), active)));
        }
        for (int promised : new int[] {1000, 1500, 1800, 3000}) {
            all.add(
                    new Developments(
                            promised + " promised of a device",
                            of(kinds, promised, usual.burst(), usual.active())));
        }
        for (int burst : new int[] {200, 500, 700}) {
            all.add(
                    new Developments(
                            "bursts of " + burst,
                            of(kinds, usual.promised(), burst, usual.active())));
        }
        for (double smallest : new double[] {0.1, 0.2, 0.6}) {
            Service.Kinds other =
                    new Service.Kinds(
                            kinds.count(),
                            smallest,
                            kinds.more(),
                            kinds.most(),
                            kinds.shortest(),
                            kinds.trough(),
                            kinds.evening());
            all.add(
                    new Developments(
                            "peaks of services from " + decimal(smallest),
                            of(other, usual.promised(), usual.burst(), usual.active())));
        }
        return all;
    }

    private static Development.Assumptions of(
            Service.Kinds kinds, int promised, int burst, double active) {
        return new Development.Assumptions(
                Development.USUAL.devices(), kinds, promised, burst, active);
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    private static void row(Table table, Inferences one, List<Long> seeds) {
        Map<String, Object> row = table.row();
        row.put("shape", "inference (devices)");
        row.put("assumption", one.what());
        try {
            List<Inference> days =
                    seeds.stream().map(seed -> Inference.run(one.assumed(), seed)).toList();
            row.put("before", most(days, Inference::whole));
            row.put("after", most(days, Inference::shared));
            row.put("p99_ms", most(days, Inference::worst));
            row.put("holds", most(days, Inference::shared) <= FEW ? "yes" : "no");
        } catch (IllegalStateException e) {
            row.put("holds", "no: " + e.getMessage());
        }
    }

    private static void row(Table table, Developments one, List<Long> seeds) {
        Map<String, Object> row = table.row();
        row.put("shape", "development (% in use)");
        row.put("assumption", one.what());
        try {
            List<Development> days =
                    seeds.stream().map(seed -> Development.run(one.assumed(), seed)).toList();
            double least = -most(days, each -> -each.after());
            row.put("before", most(days, Development::before));
            row.put("after", least);
            row.put("p99_ms", most(days, Development::worstAfter));
            row.put("holds", least >= BUSY ? "yes" : "no");
        } catch (IllegalStateException e) {
            row.put("holds", "no: " + e.getMessage());
        }
    }

    private static <T> double most(List<T> days, ToDoubleFunction<T> figure) {
        return days.stream().mapToDouble(figure).max().orElseThrow();
    }
}
