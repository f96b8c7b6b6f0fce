package facet.kube.plugin;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Files of the Container Device Interface, by which a container runtime calls facet-hook for
 * containers of pods.
 */
public final class PodCdi {
    /** A container with it waits for what is placed for it. */
    static final String MARK = "FACET_POD";

    static final String MARKED = "placed";
    private static final String KIND = "facet.dev/pod";
    static final String DEVICE = KIND + "=" + MARKED;
    private static final JsonMapper MAPPER = new JsonMapper();

    private PodCdi() {}

    /** The one device that all containers have for which something is placed. */
    public static void write(Path folder, Path hook, Path daemon) throws IOException {
        save(
                folder.resolve("facet-pod.json"),
                KIND,
                MARKED,
                List.of(MARK + "=" + MARKED),
                hooks(hook, daemon));
    }

    /** The hooks of a container, with more arguments for the first. */
    public static List<Map<String, Object>> hooks(Path hook, Path daemon, String... more) {
        List<String> create = new ArrayList<>(List.of("facet-hook", "create"));
        create.add("--runtime-dir=" + daemon);
        create.addAll(List.of(more));
        List<String> delete = List.of("facet-hook", "delete", "--runtime-dir=" + daemon);
        return List.of(
                Map.of("hookName", "createRuntime", "path", hook.toString(), "args", create),
                Map.of("hookName", "poststop", "path", hook.toString(), "args", delete));
    }

    /** As a whole: runtimes look at the folder whenever it changes. */
    public static void save(
            Path file,
            String kind,
            String device,
            List<String> environment,
            List<Map<String, Object>> hooks)
            throws IOException {
        Map<String, Object> edits = Map.of("env", environment, "hooks", hooks);
        Map<String, Object> all =
                Map.of(
                        "cdiVersion",
                        "0.5.0",
                        "kind",
                        kind,
                        "devices",
                        List.of(Map.of("name", device, "containerEdits", edits)));
        Files.createDirectories(file.getParent());
        Path next = file.resolveSibling("." + file.getFileName() + ".new");
        Files.writeString(next, MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(all));
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
