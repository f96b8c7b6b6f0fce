package facet.node.http;

import facet.node.control.Operations;
import facet.node.history.Query;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.time.Instant;

/** The paths for those who watch: what is now, what was, what happened. */
final class Watch {
    private static final String LIVE = Api.BASE + "/live";
    private static final String HISTORY = Api.BASE + "/history";
    private static final int USUAL_SECONDS = 600;

    private final Operations operations;

    Watch(Operations operations) {
        this.operations = operations;
    }

    void addTo(HttpRouting.Builder routing) {
        routing.get(LIVE, this::live).get(HISTORY, this::history);
        Api.only(routing, LIVE, "GET");
        Api.only(routing, HISTORY, "GET");
    }

    private void live(ServerRequest request, ServerResponse response) {
        Parameters.of(request);
        Answers.packed(request, response, operations.live());
    }

    private void history(ServerRequest request, ServerResponse response) {
        Parameters given = Parameters.of(request, "seconds", "step", "since");
        Query query;
        try {
            query =
                    new Query(
                            (int) given.number("seconds", USUAL_SECONDS, Query.LONGEST),
                            (int) given.number("step", 1, Query.LONGEST),
                            given.number("since", 0, Long.MAX_VALUE / 2));
        } catch (IllegalArgumentException e) {
            throw new Refusal(400, String.valueOf(e.getMessage()));
        }
        Answers.packed(request, response, operations.history().answer(query, Instant.now()));
    }
}
