package facet.doors.control;

import facet.slices.Setting;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Verbs of a cluster's agent. */
final class PodVerbs {
    private static final String POD = "pod";
    private static final String CONTAINER = "container";
    private static final String NAME = "name";
    private static final String BY = "by";

    private PodVerbs() {}

    static Map<String, Verb> all() {
        Set<String> place = new HashSet<>(Setting.keys());
        place.addAll(Set.of(POD, CONTAINER, NAME));
        Map<String, Verb> all = new LinkedHashMap<>();
        all.put("pods", new Verb(Set.of(), (_, connection) -> list(connection.operations())));
        all.put("pods-managed", new Verb(Set.of(BY), PodVerbs::manage));
        all.put("pod-place", new Verb(place, PodVerbs::place));
        all.put("pod-forget", new Verb(Set.of(POD), PodVerbs::forget));
        return all;
    }

    private static Map<String, Object> list(Operations node) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put(BY, node.podsManagedBy());
        answer.put("pods", node.pods());
        return answer;
    }

    private static Map<String, Object> manage(Request request, ControlConnection connection)
            throws ControlException {
        connection.operations().managePods(request.text(BY));
        return Map.of();
    }

    private static Map<String, Object> place(Request request, ControlConnection connection)
            throws ControlException {
        return connection
                .operations()
                .placePod(
                        new PodOperations.PodContainer(request.text(POD), request.text(CONTAINER)),
                        request.value(NAME).orElse(""),
                        SliceVerbs.settings(request))
                .row();
    }

    private static Map<String, Object> forget(Request request, ControlConnection connection)
            throws ControlException {
        return Map.of("removed", connection.operations().forgetPod(request.text(POD)));
    }
}
