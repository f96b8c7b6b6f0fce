package facet.doors.http;

import facet.doors.control.Change;
import facet.doors.control.ControlException;
import facet.doors.control.Operations;
import facet.doors.events.Kind;
import facet.log.Log;
import facet.log.Who;
import facet.slices.document.DocumentException;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The paths that make slices, change them and remove them. */
final class SliceApi {
    private static final String ALL = Api.BASE + "/slices";
    private static final String ONE = ALL + "/{name}";
    private static final Set<String> JSON = Set.of("application/json");
    private static final Set<String> DOCUMENTS =
            Set.of("application/yaml", "application/x-yaml", "text/yaml", "application/json");

    private final Operations operations;
    private final KeptAnswers answers;
    private final Log log;

    SliceApi(Operations operations, KeptAnswers answers, Log log) {
        this.operations = operations;
        this.answers = answers;
        this.log = log;
    }

    void addTo(HttpRouting.Builder routing) {
        routing.get(
                        ALL,
                        (_, response) ->
                                answers.sendNew(
                                        response, () -> Map.of("slices", operations.slices())))
                .get(
                        ONE,
                        (request, response) -> answers.sendNew(response, () -> row(name(request))))
                .post(ALL, changing(this::create))
                .put(ALL, changing(this::apply))
                .patch(ONE, changing(this::change))
                .delete(ONE, changing(this::delete));
        Api.only(routing, ALL, "GET, POST, PUT");
        Api.only(routing, ONE, "GET, PATCH, DELETE");
    }

    private static String name(ServerRequest request) {
        return request.path().pathParameters().get("name");
    }

    private Optional<Map<String, Object>> find(String name) {
        return operations.slices().stream()
                .filter(each -> name.equals(each.get("name")))
                .findFirst();
    }

    private Map<String, Object> row(String name) {
        return find(name)
                .orElseThrow(() ->
                        new Refusal(
                                404,
                                "there is no slice '" + name + "'",
                                "GET " + ALL + " lists them"));
    }

    // ---- changes

    private interface Action {
        void perform(ServerRequest request, ServerResponse response) throws ControlException;
    }

    /** What is said wrongly is 400; what is said well and cannot be done now is 409. */
    private io.helidon.webserver.http.Handler changing(Action action) {
        return (request, response) -> {
            try {
                action.perform(request, response);
                log.info(
                        "http",
                        request.remotePeer().host()
                                + ": "
                                + request.prologue().method()
                                + " "
                                + request.path().path());
            } catch (IllegalArgumentException e) {
                refused(request, String.valueOf(e.getMessage()));
                throw new Refusal(400, String.valueOf(e.getMessage()));
            } catch (ControlException e) {
                boolean wrong =
                        e.getCause() instanceof DocumentException
                                || e.getCause() instanceof IllegalArgumentException;
                refused(request, String.valueOf(e.getMessage()));
                throw new Refusal(wrong ? 400 : 409, String.valueOf(e.getMessage()));
            }
        };
    }

    private void refused(ServerRequest request, String why) {
        operations
                .events()
                .add(
                        Kind.REFUSED,
                        Who.part("http"),
                        request.remotePeer().host()
                                + ": "
                                + request.prologue().method()
                                + " "
                                + request.path().path()
                                + ": "
                                + why);
    }

    private void create(ServerRequest request, ServerResponse response) throws ControlException {
        SliceBody body = SliceBody.parse(body(request, JSON));
        String name = body.name().orElseThrow(() -> new Refusal(400, "the slice has no 'name'"));
        Change change = operations.keep(name, body.settings());
        response.header("Location", ALL + "/" + change.slice());
        Answers.send(response, 201, change.row());
    }

    private void change(ServerRequest request, ServerResponse response) throws ControlException {
        String name = name(request);
        SliceBody body = SliceBody.parse(body(request, JSON));
        if (body.name().filter(given -> !given.equals(name)).isPresent()) {
            throw new Refusal(400, "a slice keeps its name", "make a new one, delete the old one");
        }
        if (body.settings().isEmpty()) {
            throw new Refusal(400, "nothing to change");
        }
        row(name);
        Answers.send(response, 200, operations.change(name, body.settings()).row());
    }

    private void delete(ServerRequest request, ServerResponse response) throws ControlException {
        boolean force = flags(request, Set.of("force")).contains("force");
        row(name(request));
        Answers.send(response, 200, operations.delete(name(request), force).row());
    }

    private void apply(ServerRequest request, ServerResponse response) throws ControlException {
        Set<String> flags = flags(request, Set.of("prune", "force", "dryRun"));
        String document = new String(body(request, DOCUMENTS), StandardCharsets.UTF_8);
        List<Change> changes =
                operations.apply(
                        document,
                        flags.contains("prune"),
                        flags.contains("force"),
                        flags.contains("dryRun"));
        List<Map<String, Object>> rows = new ArrayList<>();
        changes.forEach(each -> rows.add(each.row()));
        Answers.send(response, 200, Map.of("slices", rows));
    }

    // ---- what a request brings

    /** Those that are true. A misspelt one must not be ignored. */
    private static Set<String> flags(ServerRequest request, Set<String> known) {
        Set<String> flags = new java.util.HashSet<>();
        for (String each : request.query().names()) {
            String value = request.query().get(each);
            if (!known.contains(each) || !Set.of("true", "false").contains(value)) {
                throw new Refusal(
                        400,
                        "'" + each + "=" + value + "' is not understood",
                        "there are "
                                + String.join(", ", new java.util.TreeSet<>(known))
                                + ", each true or false");
            }
            if (value.equals("true")) {
                flags.add(each);
            }
        }
        return flags;
    }

    /** A page in a browser cannot send these types to another site without asking first. */
    private static byte[] body(ServerRequest request, Set<String> types) {
        String type =
                request.headers()
                        .contentType()
                        .map(each -> each.mediaType().text().toLowerCase(Locale.ROOT))
                        .orElse("none");
        if (!types.contains(type)) {
            throw new Refusal(
                    415,
                    "a body of the type " + type,
                    "send the header 'Content-Type: "
                            + types.stream().sorted().findFirst().get()
                            + "'");
        }
        try (InputStream in = request.content().inputStream()) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new Refusal(400, "the body cannot be read: " + e.getMessage());
        }
    }
}
