package facet.doors.control;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Verbs about the pool of nodes. */
final class PoolVerbs {
    private static final String LISTEN = "listen";
    private static final String NODE = "node";
    private static final String TOKEN = "token";
    private static final String SEEDS = "seeds";

    private PoolVerbs() {}

    static Map<String, Verb> all() {
        Map<String, Verb> all = new LinkedHashMap<>();
        all.put(
                "pool",
                new Verb(Set.of(), (request, connection) -> connection.operations().pool()));
        all.put(
                "pool-init",
                new Verb(
                        Set.of(LISTEN, NODE),
                        (request, connection) ->
                                connection
                                        .operations()
                                        .makePool(request.value(LISTEN), request.value(NODE))));
        all.put(
                "pool-join",
                new Verb(
                        Set.of(SEEDS, TOKEN, LISTEN, NODE),
                        (request, connection) ->
                                connection
                                        .operations()
                                        .joinPool(
                                                List.of(request.text(SEEDS).split(",", -1)),
                                                request.text(TOKEN),
                                                request.value(LISTEN),
                                                request.value(NODE))));
        all.put(
                "pool-leave",
                new Verb(
                        Set.of("force"),
                        (request, connection) -> {
                            connection.operations().leavePool(request.isTrue("force"));
                            return Map.of();
                        }));
        all.put(
                "pool-drain",
                new Verb(
                        Set.of("end"),
                        (request, connection) ->
                                connection.operations().drainPool(!request.isTrue("end"))));
        return all;
    }
}
