package facet.doors.http;

import facet.doors.control.Operations;
import facet.doors.control.Verbs;
import facet.log.Log;
import io.helidon.webserver.http.HttpRouting;
import java.util.List;
import java.util.Map;

/** The paths. docs/api.md tells what each of them answers. */
final class Api {
    static final String BASE = "/api/v1";

    private final Operations operations;
    private final KeptAnswers answers;
    private final Log log;

    Api(Operations operations, KeptAnswers answers, Log log) {
        this.operations = operations;
        this.answers = answers;
        this.log = log;
    }

    void addTo(HttpRouting.Builder routing) {
        routing.get("/healthz", (_, response) -> Answers.send(response, 200, Map.of("ok", true)))
                .get(
                        BASE + "/status",
                        (_, response) -> answers.sendNew(response, operations::status))
                .get(
                        BASE + "/devices",
                        (_, response) -> answers.sendNew(response, () -> Verbs.devices(operations)))
                .get(BASE + "/pool", (_, response) -> answers.sendNew(response, operations::pool))
                .get(
                        BASE + "/sessions",
                        (_, response) ->
                                answers.sendNew(
                                        response, () -> Map.of("sessions", operations.sessions())))
                .get(
                        BASE + "/unsupported",
                        (_, response) ->
                                answers.sendNew(
                                        response,
                                        () -> Map.of("unsupported", operations.unsupported())));
        for (String path :
                List.of(
                        "/healthz",
                        BASE + "/status",
                        BASE + "/devices",
                        BASE + "/pool",
                        BASE + "/sessions",
                        BASE + "/unsupported")) {
            only(routing, path, "GET");
        }
        new Watch(operations, answers).addTo(routing);
        new SliceApi(operations, answers, log).addTo(routing);
        routing.any((request, _) -> {
            throw new Refusal(
                    404,
                    "there is no path '" + request.path().path() + "'",
                    "docs/api.md lists the paths; they begin with " + BASE);
        });
    }

    /** Behind the methods that a path has. */
    static void only(HttpRouting.Builder routing, String path, String methods) {
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
}
