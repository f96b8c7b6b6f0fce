package facet.node.container;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import facet.doors.control.ControlException;
import facet.doors.control.PodOperations;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The config.json of a container's bundle, by the runtime specification of the Open Container
 * Initiative (config.md). Only what is asked for is looked at; the rest stays as it is.
 */
final class ContainerConfig {
    private static final JsonMapper MAPPER =
            JsonMapper.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                    .build();

    private final ObjectNode root;

    private ContainerConfig(ObjectNode root) {
        this.root = root;
    }

    static ContainerConfig parse(String text) throws ControlException {
        try {
            if (MAPPER.readTree(text) instanceof ObjectNode root) {
                return new ContainerConfig(root);
            }
        } catch (JsonProcessingException e) {
            throw new ControlException("config.json is not JSON: " + e.getOriginalMessage(), e);
        }
        throw new ControlException("config.json is not a JSON object");
    }

    /** What it asks for itself. */
    Optional<Wish> wish(int devices) throws ControlException {
        return Wishes.read(environment(), annotations(), devices);
    }

    /** Which container of which pod it is; empty for others, and for a pod's sandbox. */
    Optional<PodOperations.PodContainer> pod(PodRuntime runtime) throws ControlException {
        return runtime.identity(annotations());
    }

    boolean isOfPod(PodRuntime runtime) {
        return runtime.isOfPod(annotations());
    }

    /** Whether the cluster has said that something is placed for it. */
    boolean isPlaced() {
        return !environment().getOrDefault(PodRuntime.MARK, "").isBlank();
    }

    /** Of a variable that is there twice the last one counts, as for runc. */
    private Map<String, String> environment() {
        Map<String, String> all = new LinkedHashMap<>();
        for (JsonNode each : root.path("process").path("env")) {
            String text = each.asText();
            int equals = text.indexOf('=');
            if (equals > 0) {
                all.put(text.substring(0, equals), text.substring(equals + 1));
            }
        }
        return all;
    }

    private Map<String, String> annotations() {
        Map<String, String> all = new LinkedHashMap<>();
        root.path("annotations")
                .properties()
                .forEach(each -> all.put(each.getKey(), each.getValue().asText()));
        return all;
    }

    /**
     * With the hook in it, that makes the slice before the container starts and removes it at its
     * end. Once is enough: a hook of that path is not added again.
     *
     * @param runtime where the hook finds this daemon
     */
    void addHook(String hook, Path runtime) throws ControlException {
        if (!Path.of(hook).isAbsolute()) {
            throw new ControlException("the hook's path must be absolute, not '" + hook + "'");
        }
        ObjectNode hooks = object("hooks");
        add(hooks, "createRuntime", hook, "create", runtime);
        add(hooks, "poststop", hook, "delete", runtime);
    }

    private ObjectNode object(String name) throws ControlException {
        JsonNode node = root.path(name);
        if (node.isMissingNode() || node.isNull()) {
            return root.putObject(name);
        }
        if (node instanceof ObjectNode object) {
            return object;
        }
        throw new ControlException("'" + name + "' in config.json is not an object");
    }

    private static void add(
            ObjectNode hooks, String when, String hook, String argument, Path runtime)
            throws ControlException {
        JsonNode list = hooks.path(when);
        ArrayNode all;
        if (list.isMissingNode() || list.isNull()) {
            all = hooks.putArray(when);
        } else if (list instanceof ArrayNode array) {
            all = array;
        } else {
            throw new ControlException("'hooks." + when + "' in config.json is not a list");
        }
        for (JsonNode each : all) {
            if (each.path("path").asText().equals(hook)) {
                return;
            }
        }
        ObjectNode entry = all.addObject();
        entry.put("path", hook);
        entry.putArray("args").add("facet-hook").add(argument).add("--runtime-dir=" + runtime);
    }

    /** One line, without control characters. */
    String text() {
        return root.toString();
    }
}
