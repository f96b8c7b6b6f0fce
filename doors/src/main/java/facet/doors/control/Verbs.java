package facet.doors.control;

import facet.slices.document.Nearest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** All that can be asked, by name. */
public final class Verbs {
    private static final Map<String, Verb> ALL = new LinkedHashMap<>();

    static {
        ask("status", Operations::status);
        ask("devices", Verbs::devices);
        ask("slices", node -> Map.of("slices", node.slices()));
        ask("sessions", node -> Map.of("sessions", node.sessions()));
        ask("unsupported", node -> Map.of("unsupported", node.unsupported()));
        ask("ps", node -> Map.of("sessions", node.sessions()));
        ALL.put("events", EventVerb.verb());
        ALL.put(
                "down",
                new Verb(
                        Set.of(),
                        (request, connection) -> {
                            connection.stopSoon();
                            return Map.of();
                        }));
        ALL.putAll(SliceVerbs.all());
        ALL.putAll(ContainerVerbs.all());
        ALL.putAll(PodVerbs.all());
        ALL.putAll(PoolVerbs.all());
    }

    private Verbs() {}

    /** A question without arguments. */
    private interface Question {
        Map<String, Object> of(Operations node);
    }

    private static void ask(String name, Question question) {
        ALL.put(
                name,
                new Verb(Set.of(), (request, connection) -> question.of(connection.operations())));
    }

    /** Those of this node, and those of the others of its pool. */
    public static Map<String, Object> devices(Operations node) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("devices", node.devices());
        answer.put("elsewhere", node.elsewhere());
        return answer;
    }

    static boolean isKnown(String name) {
        return ALL.containsKey(name);
    }

    static Verb named(String name) throws ControlException {
        Verb verb = ALL.get(name);
        if (verb == null) {
            throw new ControlException(
                    "there is no verb '"
                            + name
                            + "'"
                            + Nearest.hint(
                                    name,
                                    ALL.keySet(),
                                    "there are " + String.join(", ", ALL.keySet())));
        }
        return verb;
    }
}
