package facet.bench.place;

import facet.sim.Trace;
import facet.sim.TraceException;
import facet.sim.TraceFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Alibaba's openb traces, and what the authors of FGD published about them: {@code
 * openb_v2023/openb_pod_list_*.csv} and {@code fgd_expected/analysis_allo_discrete.csv} in one
 * folder.
 */
final class OpenTraces {
    static final String DEFAULT = "default";

    static final Set<String> NAMES =
            new LinkedHashSet<>(
                    List.of(
                            DEFAULT,
                            "cpu0",
                            "cpu037",
                            "cpu050",
                            "cpu072",
                            "cpu100",
                            "cpu200",
                            "cpu235",
                            "cpu250",
                            "cpu300",
                            "gpushare20",
                            "gpushare40",
                            "gpushare60",
                            "gpushare80",
                            "gpushare100",
                            "gpuspec05",
                            "gpuspec10",
                            "gpuspec20",
                            "gpuspec25",
                            "gpuspec33",
                            "multigpu20",
                            "multigpu30",
                            "multigpu40",
                            "multigpu50"));

    private OpenTraces() {}

    static Trace read(Path folder, String name) throws TraceException {
        return TraceFiles.read(folder.resolve("openb_v2023/openb_pod_list_" + name + ".csv"));
    }

    /**
     * Percent of all devices in use at 130 %, mean over their seeds, by trace and policy with a
     * slash between; without the number before their policies' names. Empty where the file is not.
     */
    static Map<String, Double> published(Path folder) throws IOException {
        Path file = folder.resolve("fgd_expected/analysis_allo_discrete.csv");
        Map<String, Double> sums = new HashMap<>();
        Map<String, Integer> counts = new HashMap<>();
        if (Files.isRegularFile(file)) {
            List<String> lines = Files.readAllLines(file);
            for (String line : lines.subList(1, lines.size())) {
                String[] value = line.split(",", -1);
                String key =
                        value[0].replace("openb_pod_list_", "")
                                + "/"
                                + value[1].replaceFirst("^[0-9]+-", "");
                sums.merge(key, Double.parseDouble(value[value.length - 1]), Double::sum);
                counts.merge(key, 1, Integer::sum);
            }
        }
        sums.replaceAll((key, sum) -> sum / counts.getOrDefault(key, 1));
        return sums;
    }
}
