package facet.kube.node;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayList;
import java.util.List;

/**
 * A device of the node, as the node's annotation {@code facet.dev/devices} describes it.
 *
 * @param memory bytes
 * @param compute thousandths
 * @param kind software, nvidia or mig
 * @param codec whether it encodes and decodes video for slices
 * @param render whether it draws for slices
 */
public record NodeDevice(
        String uuid,
        int index,
        String model,
        long memory,
        int compute,
        String kind,
        boolean codec,
        boolean render,
        boolean healthy) {
    public static final String ANNOTATION = "facet.dev/devices";
    private static final int WHOLE = 1000;
    private static final JsonMapper MAPPER = new JsonMapper();

    /** Rows as the daemon answers {@code devices}. */
    public static List<NodeDevice> of(JsonNode answer) {
        List<NodeDevice> all = new ArrayList<>();
        for (JsonNode row : answer.path("devices")) {
            all.add(
                    new NodeDevice(
                            row.path("uuid").asText(),
                            row.path("device").asInt(),
                            row.path("name").asText(),
                            row.path("memory").asLong(),
                            WHOLE,
                            row.has("vendorUuid") ? "nvidia" : "software",
                            false,
                            false,
                            true));
        }
        return List.copyOf(all);
    }

    public NodeDevice withHealth(boolean well) {
        return new NodeDevice(uuid, index, model, memory, compute, kind, codec, render, well);
    }

    public static String text(List<NodeDevice> devices) {
        try {
            return MAPPER.writeValueAsString(devices);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
