package facet.node.container;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import facet.doors.control.Json;
import facet.doors.control.PodOperations.PodContainer;
import facet.slices.Setting;
import facet.slices.Settings;
import java.io.IOException;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What must be known of a container when the daemon is started again.
 *
 * @param slice its name
 * @param joined whether the slice is a kept one, that stays when the container ends
 * @param settings of a slice of its own
 * @param pod which container of which pod it is, where that has decided about its slice
 */
record ContainerRecord(
        String id,
        Incarnation process,
        String slice,
        boolean joined,
        Settings settings,
        Optional<PodContainer> pod) {
    private static final JsonMapper MAPPER = new JsonMapper();

    ContainerRecord withSettings(Settings others) {
        return new ContainerRecord(id, process, slice, joined, others, pod);
    }

    /** Whether it has a kept slice, perhaps with others. */
    boolean hasJoined(String name) {
        return joined && slice.equals(name);
    }

    /** Whether it has a slice for itself. */
    boolean owns(String name) {
        return !joined && slice.equals(name);
    }

    String text() {
        Map<String, Object> said = new LinkedHashMap<>();
        settings.values().forEach((setting, value) -> said.put(setting.key(), value));
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("id", id);
        all.put("pid", process.pid());
        all.put("start", process.start());
        all.put("boot", process.boot());
        all.put("slice", slice);
        all.put("joined", joined);
        all.put("settings", said);
        pod.ifPresent(its -> {
            all.put("pod", its.pod());
            all.put("podContainer", its.container());
        });
        return Json.line(all) + "\n";
    }

    static ContainerRecord parse(String text) throws IOException {
        try {
            JsonNode root = MAPPER.readTree(text);
            Map<Setting, String> said = new EnumMap<>(Setting.class);
            for (Setting each : Setting.values()) {
                JsonNode value = root.path("settings").path(each.key());
                if (value.isTextual()) {
                    said.put(each, value.asText());
                }
            }
            return new ContainerRecord(
                    root.required("id").asText(),
                    new Incarnation(
                            root.required("pid").asInt(),
                            root.required("start").asLong(),
                            root.required("boot").asText()),
                    root.required("slice").asText(),
                    root.required("joined").asBoolean(),
                    new Settings(said),
                    root.has("pod")
                            ? Optional.of(
                                    new PodContainer(
                                            root.path("pod").asText(),
                                            root.required("podContainer").asText()))
                            : Optional.empty());
        } catch (JsonProcessingException | IllegalArgumentException e) {
            throw new IOException(String.valueOf(e.getMessage()), e);
        }
    }
}
