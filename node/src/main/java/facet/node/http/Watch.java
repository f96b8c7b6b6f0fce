package facet.node.http;

import facet.node.control.Operations;
import facet.node.events.Events;
import facet.node.history.Query;
import facet.node.metrics.Metrics;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The paths for those who watch: what is now, what was, what happened. */
final class Watch {
    private static final String LIVE = Api.BASE + "/live";
    private static final String HISTORY = Api.BASE + "/history";
    private static final String EVENTS = Api.BASE + "/events";
    private static final String METRICS = "/metrics";
    private static final int USUAL_SECONDS = 600;

    private final Operations operations;

    /** Made when first asked for: who never asks need not pay for its classes. */
    private @Nullable Metrics metrics;

    Watch(Operations operations) {
        this.operations = operations;
    }

    void addTo(HttpRouting.Builder routing) {
        routing.get(LIVE, this::live)
                .get(HISTORY, this::history)
                .get(EVENTS, this::events)
                .get(METRICS, this::metrics);
        Api.only(routing, LIVE, "GET");
        Api.only(routing, HISTORY, "GET");
        Api.only(routing, EVENTS, "GET");
        Api.only(routing, METRICS, "GET");
    }

    private void live(ServerRequest request, ServerResponse response) {
        Parameters.of(request);
        Answers.packed(request, response, operations.live());
    }

    private void events(ServerRequest request, ServerResponse response) {
        Parameters given = Parameters.of(request, "since", "limit");
        Events events = operations.events();
        Answers.packed(
                request,
                response,
                events.answer(
                        given.number("since", 0, Long.MAX_VALUE),
                        (int) given.number("limit", Events.USUAL_LIMIT, Events.MOST)));
    }

    /** Other parameters may stand there: scrapers put what they like. */
    private void metrics(ServerRequest request, ServerResponse response) {
        String accept = request.headers().first(HeaderNames.ACCEPT).orElse(null);
        Metrics.Scrape scrape = scraped().scrape(accept);
        Answers.packed(
                request,
                response,
                HeaderValues.create("Content-Type", scrape.type()),
                scrape.bytes());
    }

    private synchronized Metrics scraped() {
        Metrics known = metrics;
        if (known == null) {
            known = new Metrics(operations::figures);
            metrics = known;
        }
        return known;
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
