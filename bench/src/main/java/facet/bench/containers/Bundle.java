package facet.bench.containers;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A folder from which runc starts a container: config.json, and the files elsewhere. */
final class Bundle {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String PATH = "PATH=/bin";

    private final Path folder;
    private final byte[] config;

    /**
     * @param wishes variables by which a container asks for a slice
     */
    Bundle(Path folder, Path root, List<String> command, List<String> wishes) throws IOException {
        this.folder = folder;
        Map<String, Object> process = new LinkedHashMap<>();
        process.put("terminal", false);
        process.put("user", Map.of("uid", 0, "gid", 0));
        process.put("args", command);
        process.put("env", Stream.concat(Stream.of(PATH), wishes.stream()).toList());
        process.put("cwd", "/");
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("ociVersion", "1.0.2");
        all.put("process", process);
        all.put("root", Map.of("path", root.toString(), "readonly", true));
        all.put("mounts", List.of(mount("proc"), mount("tmpfs")));
        all.put(
                "linux",
                Map.of(
                        "namespaces",
                        Stream.of("pid", "ipc", "uts", "mount")
                                .map(type -> Map.of("type", type))
                                .toList()));
        config = MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(all);
        Files.createDirectory(folder);
        restore();
    }

    private static Map<String, String> mount(String type) {
        String place = type.equals("proc") ? "/proc" : "/dev";
        return Map.of("destination", place, "type", type, "source", type);
    }

    /** Without what was added to it since. */
    void restore() throws IOException {
        Files.write(folder.resolve("config.json"), config);
    }

    Path folder() {
        return folder;
    }
}
