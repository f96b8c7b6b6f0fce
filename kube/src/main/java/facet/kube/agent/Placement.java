package facet.kube.agent;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a container of a pod has, as whoever has bound the pod wrote it into the pod's annotation.
 *
 * @param devices their UUIDs
 * @param memory bytes of each
 * @param thousandths of each device's time
 * @param policy empty: what the daemon takes then
 */
record Placement(List<String> devices, long memory, int thousandths, String policy, int priority) {
    static final String ANNOTATION = "facet.dev/placement";
    private static final int THOUSANDTHS_OF_A_PERCENT = 10;
    private static final int WHOLE = 1000;
    private static final int MOST_PRIORITY = 100;
    private static final int MOST_DEVICES = 64;
    private static final JsonMapper MAPPER = new JsonMapper();

    /** It cannot be read, or makes no sense; the message says why. */
    static final class WrongPlacement extends Exception {
        private static final long serialVersionUID = 1L;

        WrongPlacement(String message) {
            super(message);
        }
    }

    /** By the names of the containers. */
    static Map<String, Placement> parse(String annotation) throws WrongPlacement {
        JsonNode root;
        try {
            root = MAPPER.readTree(annotation);
        } catch (JsonProcessingException e) {
            throw new WrongPlacement(ANNOTATION + " is not JSON: " + e.getOriginalMessage());
        }
        Map<String, Placement> all = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> each : root.path("containers").properties()) {
            all.put(each.getKey(), of(each.getKey(), each.getValue()));
        }
        return all;
    }

    private static Placement of(String container, JsonNode node) throws WrongPlacement {
        List<String> devices = new ArrayList<>();
        node.path("devices").forEach(each -> devices.add(each.asText()));
        if (devices.isEmpty() || devices.size() > MOST_DEVICES) {
            throw new WrongPlacement(
                    ANNOTATION
                            + " names no devices for container '"
                            + container
                            + "', or too many");
        }
        long memory = whole(node, "memory", 1, Long.MAX_VALUE);
        int thousandths = (int) whole(node, "thousandths", 0, WHOLE);
        int priority = (int) whole(node, "priority", 0, MOST_PRIORITY);
        return new Placement(
                List.copyOf(devices), memory, thousandths, node.path("policy").asText(), priority);
    }

    /** A whole number between bounds; one that is not there is 0. */
    private static long whole(JsonNode node, String key, long least, long most)
            throws WrongPlacement {
        JsonNode value = node.path(key);
        boolean missing = value.isMissingNode();
        if (!missing && !(value.isIntegralNumber() && value.canConvertToLong())
                || value.asLong() < least
                || value.asLong() > most) {
            throw new WrongPlacement(
                    "%s: %s is a whole number from %d to %d, not %s"
                            .formatted(ANNOTATION, key, least, most, missing ? "missing" : value));
        }
        return value.asLong();
    }

    /**
     * As the daemon is asked for it. It counts time in whole percent: what is less than one is no
     * promise.
     *
     * @param numbers of the node's devices, by UUID
     */
    Map<String, String> settings(Map<String, Integer> numbers) throws WrongPlacement {
        List<String> on = new ArrayList<>();
        for (String each : devices) {
            Integer number = numbers.get(each);
            if (number == null) {
                throw new WrongPlacement("this node has no device " + each);
            }
            on.add(number.toString());
        }
        int percent = thousandths / THOUSANDTHS_OF_A_PERCENT;
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("memory", Long.toString(memory));
        if (numbers.size() > 1) {
            settings.put("device", String.join(",", on));
        }
        if (percent > 0) {
            settings.put("compute", Integer.toString(percent));
        }
        if (!policy.isEmpty() && !(policy.equals("fixed") && percent == 0)) {
            settings.put("policy", policy);
        }
        if (priority > 0) {
            settings.put("priority", Integer.toString(priority));
        }
        return settings;
    }
}
