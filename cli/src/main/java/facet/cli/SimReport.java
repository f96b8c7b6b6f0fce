package facet.cli;

import facet.sim.Course;
import facet.sim.Filling;
import facet.sim.Replay;
import facet.sim.Trace;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * A page with plots of what policies did, a line each. It is one file that needs no other: the
 * dashboard's plotting library is inside.
 */
record SimReport(
        String trace,
        int nodes,
        int devices,
        int tasks,
        String seeds,
        String until,
        String note,
        List<Filled> fillings,
        List<Replayed> replays) {
    /** All fillings by a policy. Curves are the mean of all seeds. */
    record Filled(
            String policy,
            int runs,
            double mean,
            double least,
            double most,
            int placed,
            int arrived,
            List<Double> allocation,
            List<Double> fragmentation) {
        static Filled of(List<Filling> runs) {
            return new Filled(
                    runs.getFirst().policy(),
                    runs.size(),
                    SimReport.mean(runs, Filling::allocation),
                    runs.stream().mapToDouble(Filling::allocation).min().orElse(0),
                    runs.stream().mapToDouble(Filling::allocation).max().orElse(0),
                    runs.stream().mapToInt(Filling::placed).sum(),
                    runs.stream().mapToInt(Filling::arrived).sum(),
                    means(runs.stream().map(Filling::curve).toList()),
                    means(runs.stream().map(Filling::fragmentation).toList()));
        }
    }

    /** All replays by a policy; figures are means. */
    record Replayed(
            String policy,
            int runs,
            double waitMedian,
            double waitMost99,
            double waitMean,
            double waited,
            double allocation,
            double never,
            List<Double> waits,
            List<Course.Point> course) {
        static Replayed of(List<Replay> runs) {
            List<Course.Point> course = new ArrayList<>();
            for (int i = 0; i < runs.getFirst().course().size(); i++) {
                int point = i;
                course.add(
                        new Course.Point(
                                runs.getFirst().course().get(i).time(),
                                SimReport.mean(runs, each -> each.course().get(point).used()),
                                SimReport.mean(runs, each -> each.course().get(point).waiting())));
            }
            return new Replayed(
                    runs.getFirst().policy(),
                    runs.size(),
                    SimReport.mean(runs, Replay::waitMedian),
                    SimReport.mean(runs, Replay::waitMost99),
                    SimReport.mean(runs, Replay::waitMean),
                    SimReport.mean(runs, Replay::waited),
                    SimReport.mean(runs, Replay::allocation),
                    SimReport.mean(runs, Replay::never),
                    means(
                            runs.stream()
                                    .map(each ->
                                            each.waits().stream().map(Long::doubleValue).toList())
                                    .toList()),
                    course);
        }
    }

    static SimReport of(
            Trace trace,
            String seeds,
            String until,
            String note,
            List<Filling> fillings,
            List<Replay> replays) {
        return new SimReport(
                trace.name(),
                trace.nodes().size(),
                trace.nodes().stream().mapToInt(each -> each.devices()).sum(),
                trace.tasks().size(),
                seeds,
                until,
                note,
                byPolicy(fillings, Filling::policy).stream().map(Filled::of).toList(),
                byPolicy(replays, Replay::policy).stream().map(Replayed::of).toList());
    }

    private static <T> List<List<T>> byPolicy(
            List<T> runs, java.util.function.Function<T, String> policy) {
        Map<String, List<T>> all = new LinkedHashMap<>();
        runs.forEach(each ->
                all.computeIfAbsent(policy.apply(each), name -> new ArrayList<>()).add(each));
        return List.copyOf(all.values());
    }

    private static <T> double mean(List<T> runs, ToDoubleFunction<T> value) {
        return runs.stream().mapToDouble(value).average().orElse(0);
    }

    /** Of lists that are equally long. */
    private static List<Double> means(List<List<Double>> all) {
        List<Double> means = new ArrayList<>();
        for (int i = 0; i < all.getFirst().size(); i++) {
            int index = i;
            means.add(mean(all, each -> each.get(index)));
        }
        return means;
    }

    /**
     * Before anything is simulated: that takes minutes.
     *
     * @throws CommandFailure when no page can be written there
     */
    static void checkWritable(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        String wrong =
                Files.isDirectory(file)
                        ? "it is a folder; name a file, such as placing.html"
                        : folder == null || !Files.isDirectory(folder)
                                ? "there is no folder " + folder
                                : !Files.isWritable(Files.exists(file) ? file : folder)
                                        ? "it may not be written"
                                        : "";
        if (!wrong.isEmpty()) {
            throw new CommandFailure("the report cannot be written: " + file + ": " + wrong);
        }
    }

    /**
     * @throws CommandFailure when it cannot be written
     */
    void write(Path file) {
        try {
            Files.writeString(file, page());
        } catch (IOException e) {
            throw new CommandFailure(
                    "the report cannot be written: " + file + ": " + e.getMessage(), e);
        }
    }

    String page() {
        // In a script element nothing ends the text but this character.
        String data = Json.line(this).replace("<", "\\u003c");
        return resource("/facet/cli/sim-report.html")
                .replace("{{data}}", data)
                .replace("{{chart}}", resource("/facet/web/assets/chart.js/chart.umd.min.js"))
                .replace("{{script}}", resource("/facet/cli/sim-report.js"));
    }

    private static String resource(String name) {
        try (InputStream file = SimReport.class.getResourceAsStream(name)) {
            if (file == null) {
                throw new IllegalStateException(name + " is missing");
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
