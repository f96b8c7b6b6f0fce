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
import java.util.List;
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
        ObjectNode hooks = object(root, "hooks");
        add(hooks, "createRuntime", hook, "create", runtime);
        add(hooks, "poststop", hook, "delete", runtime);
    }

    /**
     * With device files in it: the runtime makes them, and lets the container's processes use them
     * (config-linux.md, devices and resources). One that is there already stays as it is.
     */
    void addDevices(List<DeviceFile> files) throws ControlException {
        ObjectNode linux = object(root, "linux");
        ArrayNode made = list(linux, "linux.devices");
        ArrayNode rules = list(object(linux, "resources"), "linux.resources.devices");
        for (DeviceFile each : files) {
            if (has(made, each.path())) {
                continue;
            }
            made.addObject()
                    .put("path", each.path())
                    .put("type", "c")
                    .put("major", each.major())
                    .put("minor", each.minor())
                    .put("fileMode", each.mode());
            rules.addObject()
                    .put("allow", true)
                    .put("type", "c")
                    .put("major", each.major())
                    .put("minor", each.minor())
                    .put("access", "rw");
        }
    }

    private static boolean has(ArrayNode devices, String path) {
        for (JsonNode each : devices) {
            if (each.path("path").asText().equals(path)) {
                return true;
            }
        }
        return false;
    }

    private static ObjectNode object(ObjectNode root, String name) throws ControlException {
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
        ArrayNode all = list(hooks, "hooks." + when);
        for (JsonNode each : all) {
            if (each.path("path").asText().equals(hook)) {
                return;
            }
        }
        ObjectNode entry = all.addObject();
        entry.put("path", hook);
        entry.putArray("args").add("facet-hook").add(argument).add("--runtime-dir=" + runtime);
    }

    /**
     * @param path what people call it; its last name is the one in its parent
     */
    private static ArrayNode list(ObjectNode parent, String path) throws ControlException {
        String name = path.substring(path.lastIndexOf('.') + 1);
        JsonNode list = parent.path(name);
        if (list.isMissingNode() || list.isNull()) {
            return parent.putArray(name);
        }
        if (list instanceof ArrayNode array) {
            return array;
        }
        throw new ControlException("'" + path + "' in config.json is not a list");
    }

    /** One line, without control characters. */
    String text() {
        return root.toString();
    }
}
