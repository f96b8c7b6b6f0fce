package facet.kube.bench;

import facet.kube.cluster.ControlPlane;
import facet.kube.cluster.Member;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What was spent up to a time: processor seconds of each process, and requests that the apiserver
 * answered. On a machine that others use too these say more than the clock.
 */
record Costs(Map<String, Double> seconds, Map<String, Double> requests) {
    /** A line of the apiserver's metrics. */
    private static final Pattern REQUESTS =
            Pattern.compile("^apiserver_request_total\\{(.*)} ([0-9.e+]+)$", Pattern.MULTILINE);

    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");

    static Costs until(ControlPlane plane, KubernetesClient client, List<Member> members) {
        Map<String, Double> seconds = new TreeMap<>();
        seconds.put("java", seconds(ProcessHandle.current().pid()));
        for (Member each : members) {
            seconds.put(each.program(), seconds(plane.pid(each)));
        }
        Map<String, Double> requests = new TreeMap<>();
        Matcher lines = REQUESTS.matcher(client.raw("/metrics"));
        while (lines.find()) {
            Map<String, String> labels = new TreeMap<>();
            Matcher label = LABEL.matcher(lines.group(1));
            while (label.find()) {
                labels.put(label.group(1), label.group(2));
            }
            String resource = labels.getOrDefault("resource", "");
            String below = labels.getOrDefault("subresource", "");
            requests.merge(
                    labels.get("verb") + " " + resource + (below.isEmpty() ? "" : "/" + below),
                    Double.parseDouble(lines.group(2)),
                    Double::sum);
        }
        return new Costs(seconds, requests);
    }

    private static double seconds(long pid) {
        return ProcessHandle.of(pid)
                        .flatMap(each -> each.info().totalCpuDuration())
                        .orElse(Duration.ZERO)
                        .toMillis()
                / 1000.0;
    }

    /** What was spent since then, in words. */
    String since(Costs before, int pods) {
        StringBuilder text = new StringBuilder("    processor seconds:");
        seconds.forEach((who, all) ->
                text.append(
                        String.format(
                                Locale.ROOT,
                                " %s %.1f",
                                who,
                                all - before.seconds().getOrDefault(who, 0.0))));
        text.append(String.format("%n    requests a pod:"));
        requests.forEach((what, all) -> {
            double count = all - before.requests().getOrDefault(what, 0.0);
            if (count * 100 >= pods) {
                text.append(String.format(Locale.ROOT, " %s %.2f,", what, count / pods));
            }
        });
        return text.toString().replaceAll(",$", "");
    }
}
