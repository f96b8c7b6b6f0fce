package facet.doors.control;

import facet.slices.Slice;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Verbs of the hook and the runtime wrapper. */
final class ContainerVerbs {
    private static final String ID = "id";
    private static final String PID = "pid";
    private static final String CONFIG = "config";
    private static final String SLICE = "slice";
    private static final String HOOK = "hook";
    private static final String DEVICE = "device";

    private ContainerVerbs() {}

    static Map<String, Verb> all() {
        Map<String, Verb> all = new LinkedHashMap<>();
        all.put(
                "container-create",
                // Where the container's files are is the hook's business; it may say so.
                new Verb(Set.of(ID, PID, CONFIG, SLICE, "rootfs"), ContainerVerbs::create));
        all.put("container-delete", new Verb(Set.of(ID), ContainerVerbs::delete));
        all.put("container-config", new Verb(Set.of(CONFIG, HOOK), ContainerVerbs::configure));
        all.put("container-files", new Verb(Set.of(DEVICE), ContainerVerbs::files));
        return all;
    }

    /** What a CDI file names. */
    private static Map<String, Object> files(Request request, ControlConnection connection)
            throws ControlException {
        long device = request.number(DEVICE);
        if (device < 0 || device > Integer.MAX_VALUE) {
            throw new ControlException(DEVICE + " is the number of a device, not " + device);
        }
        return Map.of("files", connection.operations().deviceFiles((int) device));
    }

    private static Map<String, Object> create(Request request, ControlConnection connection)
            throws ControlException {
        long pid = request.number(PID);
        if (pid < 1 || pid > Integer.MAX_VALUE) {
            throw new ControlException(PID + " is the number of a process, not " + pid);
        }
        Optional<Operations.Made> made =
                connection
                        .operations()
                        .startContainer(
                                request.text(ID),
                                (int) pid,
                                request.text(CONFIG),
                                request.value(SLICE));
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("wanted", made.isPresent());
        if (made.isPresent()) {
            Slice slice = made.get().slice();
            answer.put("slice", slice.name());
            answer.put("folder", String.valueOf(made.get().socket().getParent()));
            answer.put("memory", slice.memory());
            answer.put("compute", slice.terms().compute());
            answer.put("policy", slice.terms().policy().text());
            // A kept slice is shared by containers of all kinds: theirs is the boundary.
            if (request.value(SLICE).isEmpty()) {
                connection
                        .operations()
                        .directFiles(slice)
                        .ifPresent(files -> answer.put("direct", described(files)));
            }
        }
        return answer;
    }

    private static Map<String, Object> described(ContainerOperations.DirectFiles files) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("root", files.root().toString());
        all.put("libraries", files.libraries().map(Path::toString).orElse(""));
        all.put("devices", String.join("\n", files.devices()));
        return all;
    }

    private static Map<String, Object> delete(Request request, ControlConnection connection)
            throws ControlException {
        return Map.of("removed", connection.operations().endContainer(request.text(ID)));
    }

    private static Map<String, Object> configure(Request request, ControlConnection connection)
            throws ControlException {
        ContainerOperations.Configured configured =
                connection
                        .operations()
                        .configureContainer(request.text(CONFIG), request.text(HOOK));
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("wanted", configured.wanted());
        answer.put("config", configured.config());
        return answer;
    }
}
