package facet.doors.http;

import facet.doors.control.Operations;
import facet.doors.events.Events;
import facet.doors.history.History;
import facet.doors.history.Query;
import facet.doors.metrics.Metrics;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The paths for those who watch: what is now, what was, what happened. */
final class Watch {
    private static final String LIVE = Api.BASE + "/live";
    private static final String HISTORY = Api.BASE + "/history";
    private static final String EVENTS = Api.BASE + "/events";
    private static final String METRICS = "/metrics";
    private static final int USUAL_SECONDS = 600;

    /** How old an answer may be: less than anybody sees. */
    private static final long FRESH_NANOS = 200_000_000;

    private final Operations operations;
    private final KeptAnswers answers;

    /** Made when first asked for: who never asks need not pay for its classes. */
    private @Nullable Metrics metrics;

    Watch(Operations operations, KeptAnswers answers) {
        this.operations = operations;
        this.answers = answers;
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
        answers.send(request, response, LIVE, FRESH_NANOS, () -> Answers.json(operations.live()));
    }

    private void events(ServerRequest request, ServerResponse response) {
        Parameters given = Parameters.of(request, "since", "limit");
        Events events = operations.events();
        long since = given.number("since", 0, Long.MAX_VALUE);
        int limit = (int) given.number("limit", Events.USUAL_LIMIT, Events.MOST);
        // What happened since stays the same as long as nothing happens.
        answers.send(
                request,
                response,
                List.of(EVENTS, since, limit, events.last()),
                Long.MAX_VALUE,
                () -> Answers.json(events.answer(since, limit)));
    }

    /** Other parameters may stand there: scrapers put what they like. */
    private void metrics(ServerRequest request, ServerResponse response) {
        String accept = request.headers().first(HeaderNames.ACCEPT).orElse(null);
        answers.send(
                request,
                response,
                List.of(METRICS, Optional.ofNullable(accept)),
                FRESH_NANOS,
                () -> {
                    Metrics.Scrape scrape = scraped().scrape(accept);
                    return new KeptAnswers.Answer(
                            HeaderValues.create("Content-Type", scrape.type()), scrape.bytes());
                });
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
        History history = operations.history();
        // It changes when a sample is taken, which is once a second.
        answers.send(
                request,
                response,
                List.of(HISTORY, query, history.samples()),
                Long.MAX_VALUE,
                () -> Answers.json(history.answer(query, Instant.now())));
    }
}
