package facet.system.tests;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A container as runc takes it: a folder with config.json. */
final class Bundle {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final ObjectNode config = MAPPER.createObjectNode();

    /**
     * @param root is not changed by the container itself: it is read-only for it
     */
    Bundle(RootFilesystem root, List<String> command) {
        config.put("ociVersion", "1.0.2");
        ObjectNode process = config.putObject("process");
        process.put("terminal", false);
        process.putObject("user").put("uid", 0).put("gid", 0);
        command.forEach(process.putArray("args")::add);
        process.putArray("env").add("PATH=/bin");
        process.put("cwd", "/");
        process.put("noNewPrivileges", true);
        config.putObject("root").put("path", root.path().toString()).put("readonly", true);
        mount("/proc", "proc", "proc")
                .mount("/dev", "tmpfs", "tmpfs", "nosuid", "mode=755")
                .mount("/tmp", "tmpfs", "tmpfs");
        ArrayNode namespaces = config.putObject("linux").putArray("namespaces");
        for (String each : List.of("pid", "mount", "ipc", "uts", "network")) {
            namespaces.addObject().put("type", each);
        }
    }

    Bundle mount(String place, String type, String source, String... options) {
        ObjectNode mount = config.withArray("mounts").addObject();
        mount.put("destination", place).put("type", type).put("source", source);
        ArrayNode all = mount.putArray("options");
        List.of(options).forEach(all::add);
        return this;
    }

    Bundle environment(String... variables) {
        ArrayNode all = (ArrayNode) config.at("/process/env");
        List.of(variables).forEach(all::add);
        return this;
    }

    Bundle annotation(String name, String value) {
        config.withObject("/annotations").put(name, value);
        return this;
    }

    /** As a user of the machine who is nobody here, in a namespace of users. */
    Bundle mappedUsers(int user) {
        ObjectNode linux = (ObjectNode) config.path("linux");
        linux.withArray("namespaces").addObject().put("type", "user");
        for (String each : List.of("uidMappings", "gidMappings")) {
            linux.putArray(each)
                    .addObject()
                    .put("containerID", 0)
                    .put("hostID", 300_000)
                    .put("size", 65_536);
        }
        return user(user);
    }

    Bundle user(int user) {
        ((ObjectNode) config.at("/process/user")).put("uid", user).put("gid", user);
        return this;
    }

    /**
     * The hook, as a person would write it into the file.
     *
     * @param more arguments
     */
    Bundle hook(Path hook, Path runtime, String... more) {
        for (Map.Entry<String, String> each :
                Map.of("createRuntime", "create", "poststop", "delete").entrySet()) {
            ObjectNode entry = config.withObject("/hooks").withArray(each.getKey()).addObject();
            entry.put("path", hook.toString());
            ArrayNode arguments = entry.putArray("args").add("facet-hook").add(each.getValue());
            arguments.add("--runtime-dir=" + runtime);
            List.of(more).forEach(arguments::add);
        }
        return this;
    }

    void write(Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("config.json"), config.toPrettyString());
    }
}
