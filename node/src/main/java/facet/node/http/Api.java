package facet.node.http;

import facet.node.control.Operations;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.List;
import java.util.Map;

/** The paths. docs/api.md tells what each of them answers. */
final class Api {
    static final String BASE = "/api/v1";

    private final Operations operations;

    Api(Operations operations) {
        this.operations = operations;
    }

    void addTo(HttpRouting.Builder routing) {
        routing.get("/healthz", (_, response) -> Answers.send(response, 200, Map.of("ok", true)))
                .get(
                        BASE + "/status",
                        (_, response) -> Answers.send(response, 200, operations.status()))
                .get(
                        BASE + "/devices",
                        (_, response) ->
                                Answers.send(
                                        response, 200, Map.of("devices", operations.devices())))
                .get(
                        BASE + "/sessions",
                        (_, response) ->
                                Answers.send(
                                        response, 200, Map.of("sessions", operations.sessions())))
                .get(
                        BASE + "/slices",
                        (_, response) ->
                                Answers.send(response, 200, Map.of("slices", operations.slices())))
                .get(BASE + "/slices/{name}", this::slice);
        for (String path : List.of("/healthz", BASE + "/status", BASE + "/devices", BASE + "/sessions")) {
            only(routing, path, "GET");
        }
        only(routing, BASE + "/slices", "GET");
        only(routing, BASE + "/slices/{name}", "GET");
        routing.any((request, _) -> {
            throw new Refusal(
                    404,
                    "there is no path '" + request.path().path() + "'",
                    "docs/api.md lists the paths; they begin with " + BASE);
        });
    }

    /** Behind the methods that a path has. */
    private static void only(HttpRouting.Builder routing, String path, String methods) {
        routing.any(
                path,
                (request, response) -> {
                    response.header("Allow", methods);
                    throw new Refusal(
                            405,
                            "there is no "
                                    + request.prologue().method()
                                    + " for "
                                    + request.path().path(),
                            "it has " + methods);
                });
    }

    private void slice(ServerRequest request, ServerResponse response) {
        Answers.send(response, 200, row(request.path().pathParameters().get("name")));
    }

    private Map<String, Object> row(String name) {
        return operations.slices().stream()
                .filter(each -> name.equals(each.get("name")))
                .findFirst()
                .orElseThrow(
                        () ->
                                new Refusal(
                                        404,
                                        "there is no slice '" + name + "'",
                                        "GET " + BASE + "/slices lists them"));
    }
}
