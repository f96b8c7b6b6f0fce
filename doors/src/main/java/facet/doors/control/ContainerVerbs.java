package facet.doors.control;

import facet.slices.Slice;
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

    private ContainerVerbs() {}

    static Map<String, Verb> all() {
        Map<String, Verb> all = new LinkedHashMap<>();
        all.put(
                "container-create",
                // Where the container's files are is the hook's business; it may say so.
                new Verb(Set.of(ID, PID, CONFIG, SLICE, "rootfs"), ContainerVerbs::create));
        all.put("container-delete", new Verb(Set.of(ID), ContainerVerbs::delete));
        all.put("container-config", new Verb(Set.of(CONFIG, HOOK), ContainerVerbs::configure));
        return all;
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
        }
        return answer;
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
