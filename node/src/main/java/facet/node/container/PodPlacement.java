package facet.node.container;

import com.fasterxml.jackson.databind.JsonNode;
import facet.doors.control.ControlException;
import facet.doors.control.PodOperations.PodContainer;
import facet.slices.Setting;
import facet.slices.Settings;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What a cluster has placed for a container of a pod.
 *
 * @param name namespace and name of the pod, for people
 */
record PodPlacement(PodContainer which, String name, Settings settings) {
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]{0,251})");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._/-]{0,512}");

    static PodPlacement of(PodContainer which, String name, Settings settings)
            throws ControlException {
        if (!WORD.matcher(which.pod()).matches() || !WORD.matcher(which.container()).matches()) {
            throw new ControlException(
                    "a pod is named by its uid and a container by its name in the pod, not by '"
                            + which.pod()
                            + "' and '"
                            + which.container()
                            + "'");
        }
        if (!NAME.matcher(name).matches()) {
            throw new ControlException("'" + name + "' is not namespace and name of a pod");
        }
        if (!settings.values().containsKey(Setting.MEMORY)) {
            throw new ControlException("a container of a pod is placed with its memory");
        }
        return new PodPlacement(which, name, settings);
    }

    Wish wish() {
        return new Wish(settings, List.of("pod " + (name.isEmpty() ? which.pod() : name)));
    }

    /** Of its slice: without the namespace, and with the container's own. */
    String sliceName() {
        String pod = name.substring(name.indexOf('/') + 1);
        return (pod.isEmpty() ? which.pod() : pod) + "." + which.container();
    }

    Map<String, Object> row() {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("pod", which.pod());
        row.put("container", which.container());
        row.put("name", name);
        settings.values().forEach((setting, value) -> row.put(setting.key(), value));
        return row;
    }

    /** Of a row that was written down. */
    static PodPlacement of(JsonNode row) throws ControlException {
        Map<Setting, String> said = new EnumMap<>(Setting.class);
        for (Setting each : Setting.values()) {
            if (row.path(each.key()).isTextual()) {
                said.put(each, row.path(each.key()).asText());
            }
        }
        return of(
                new PodContainer(row.path("pod").asText(), row.path("container").asText()),
                row.path("name").asText(),
                new Settings(said));
    }
}
