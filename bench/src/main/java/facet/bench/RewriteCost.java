package facet.bench;

import facet.bench.Workload.Data;
import facet.device.Device;
import facet.device.cpu.parts.PartedDevice;
import facet.device.cpu.parts.Parts;
import facet.ptx.rewrite.BlockForm;
import facet.ptx.rewrite.Rewrite;
import facet.ptx.rewrite.Rewritten;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The eight kernels as they are and rewritten, each launch in one part: what rewriting alone costs.
 * They take turns; the best launch of each counts.
 */
final class RewriteCost implements Measurement {
    private static final int WARM_UPS = 10;
    private static final double SETTLE_MILLISECONDS = 1_500;
    private static final double TURN_MILLISECONDS = 2_500;
    private static final double MOST = 1.05;
    private static final String PLAIN = "plain";

    private final Map<BlockForm, List<Double>> ratios = new LinkedHashMap<>();

    @Override
    public String name() {
        return "rewrite";
    }

    @Override
    public String about() {
        return "eight kernels as they are and rewritten";
    }

    @Override
    public Set<String> parts() {
        return new LinkedHashSet<>(Workloads.names());
    }

    @Override
    public Table measure(Options options) throws IOException {
        Table table =
                new Table(
                                name(),
                                "ms, best launch and median, one core; a ratio above 1: rewritten"
                                        + " it is slower")
                        .column("kernel", "kernel")
                        .column(PLAIN + "_ms", "as it is")
                        .column(PLAIN + "_median_ms", "median");
        for (BlockForm form : BlockForm.values()) {
            ratios.put(form, new ArrayList<>());
            table.column(form.text() + "_ms", form.text())
                    .column(form.text() + "_median_ms", "median")
                    .column(form.text() + "_ratio", "ratio");
        }
        boolean all = Workloads.names().stream().noneMatch(options.only()::contains);
        for (Workload workload : Workloads.ALL) {
            if (all || options.only().contains(workload.name())) {
                System.err.println("rewrite: " + workload.name());
                compare(workload, options, table);
            }
        }
        for (Map.Entry<BlockForm, List<Double>> each : ratios.entrySet()) {
            if (!each.getValue().isEmpty()) {
                Figure.atMost(
                        table,
                        each.getKey().text() + ", median of ratios",
                        Statistics.median(each.getValue()),
                        MOST,
                        "");
            }
        }
        return table;
    }

    private void compare(Workload workload, Options options, Table table) throws IOException {
        Map<String, Object> row = table.row();
        row.put("kernel", workload.name());
        Data data = workload.data().get();
        double[] expected = workload.expected(data);
        String ptx = Places.kernel(workload.name());
        Map<String, FacetKernel> kernels = new LinkedHashMap<>();
        Map<String, Times> times = new LinkedHashMap<>();
        try {
            kernels.put(PLAIN, new FacetKernel(workload, data, ptx, 1));
            for (BlockForm form : BlockForm.values()) {
                Rewritten rewritten = Rewrite.rewrite(ptx, form);
                rewritten
                        .refusals()
                        .forEach(refusal -> table.note(form.text() + ": " + refusal.text()));
                if (rewritten.kernel(workload.name()).isPresent()) {
                    UnaryOperator<Device> parted =
                            device -> new PartedDevice(device, Parts.whole(form, 1));
                    kernels.put(form.text(), new FacetKernel(workload, data, ptx, 1, parted));
                }
            }
            for (Map.Entry<String, FacetKernel> each : kernels.entrySet()) {
                each.getValue().launch();
                workload.check(data.integers(), each.getValue().output(data.count()), expected);
                each.getValue().warmUp(WARM_UPS, SETTLE_MILLISECONDS);
            }
            for (int round = 0; round < options.rounds(); round++) {
                for (Map.Entry<String, FacetKernel> each : kernels.entrySet()) {
                    each.getValue().times(WARM_UPS, TURN_MILLISECONDS / 2);
                    List<Double> launches =
                            each.getValue().times(options.runs(), TURN_MILLISECONDS);
                    times.computeIfAbsent(each.getKey(), name -> new Times())
                            .add(Statistics.best(launches), Statistics.median(launches));
                }
            }
        } catch (RuntimeException e) {
            table.fail(workload.name() + ": " + e.getMessage());
            return;
        } finally {
            kernels.values().forEach(FacetKernel::close);
        }
        report(row, times);
    }

    private void report(Map<String, Object> row, Map<String, Times> times) {
        times.forEach((name, each) -> each.put(row, name));
        for (BlockForm form : BlockForm.values()) {
            Times parted = times.get(form.text());
            Times plain = times.get(PLAIN);
            if (parted != null && plain != null) {
                double ratio = parted.best() / plain.best();
                row.put(form.text() + "_ratio", ratio);
                ratios.computeIfAbsent(form, key -> new ArrayList<>()).add(ratio);
            }
        }
    }
}
