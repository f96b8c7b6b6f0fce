package facet.kube.agent;

import com.fasterxml.jackson.databind.JsonNode;
import facet.kube.node.DaemonLink;
import facet.kube.node.NodeDevice;
import facet.kube.node.PodProblems;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Makes the daemon know what is placed for the pods of the node, no more and no less. The pods are
 * those that are bound to this node; what others say of themselves is never looked at.
 */
final class PodPlacer {
    private static final Set<String> OVER = Set.of("Succeeded", "Failed");
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final PodProblems problems;
    private final Map<Key, Map<String, String>> sent = new HashMap<>();

    /** What the daemon did not take, so that it is not asked for it all the time. */
    private final Map<Key, Refusal> refused = new HashMap<>();

    private record Refusal(Map<String, String> settings, long at) {
        boolean holds(Map<String, String> now) {
            return settings.equals(now) && System.nanoTime() - at < PATIENCE_NANOS;
        }
    }

    private record Key(String pod, String container) {}

    PodPlacer(PodProblems problems) {
        this.problems = problems;
    }

    /**
     * @param runtime containerd or cri-o
     */
    void reconcile(DaemonLink daemon, List<NodeDevice> devices, List<Pod> pods, String runtime)
            throws IOException {
        JsonNode known = daemon.ask("pods");
        if (!known.path("by").asText().equals(runtime)) {
            daemon.ask("pods-managed", Map.of("by", runtime));
            sent.clear();
        }
        Set<Key> there = new HashSet<>();
        for (JsonNode each : known.path("pods")) {
            there.add(new Key(each.path("pod").asText(), each.path("container").asText()));
        }
        sent.keySet().retainAll(there);
        Map<String, Integer> numbers = new HashMap<>();
        devices.forEach(each -> numbers.put(each.uuid(), each.index()));
        Set<String> here = new HashSet<>();
        for (Pod each : pods) {
            if (place(daemon, each, numbers)) {
                here.add(each.getMetadata().getUid());
            }
        }
        refused.keySet().removeIf(each -> !here.contains(each.pod()));
        for (Key each : there) {
            if (here.add(each.pod())) {
                daemon.ask("pod-forget", Map.of("pod", each.pod()));
                sent.keySet().removeIf(key -> key.pod().equals(each.pod()));
            }
        }
    }

    /** Whether it has a placement. */
    private boolean place(DaemonLink daemon, Pod pod, Map<String, Integer> numbers)
            throws IOException {
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        String written = annotations == null ? null : annotations.get(Placement.ANNOTATION);
        if (written == null || OVER.contains(pod.getStatus().getPhase())) {
            return false;
        }
        try {
            for (Map.Entry<String, Placement> each : Placement.parse(written).entrySet()) {
                place(daemon, pod, each.getKey(), each.getValue().settings(numbers));
            }
        } catch (Placement.WrongPlacement | DaemonLink.Refused e) {
            problems.tell(pod, String.valueOf(e.getMessage()));
        }
        return true;
    }

    private void place(DaemonLink daemon, Pod pod, String container, Map<String, String> settings)
            throws IOException {
        Key key = new Key(pod.getMetadata().getUid(), container);
        Refusal before = refused.get(key);
        if (settings.equals(sent.get(key)) || before != null && before.holds(settings)) {
            return;
        }
        Map<String, String> values = new LinkedHashMap<>(settings);
        values.put("pod", key.pod());
        values.put("container", container);
        values.put("name", name(pod));
        refused.put(key, new Refusal(settings, System.nanoTime()));
        daemon.ask("pod-place", values);
        refused.remove(key);
        sent.put(key, settings);
    }

    private static String name(Pod pod) {
        return pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName();
    }
}
