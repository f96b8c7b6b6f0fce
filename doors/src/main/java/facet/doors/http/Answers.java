package facet.doors.http;

import facet.doors.control.Json;
import facet.log.Log;
import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderValues;
import io.helidon.http.HttpException;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Everything that is sent is JSON, also when the request was none. */
final class Answers {
    private Answers() {}

    static void send(ServerResponse response, int status, Map<String, ?> body) {
        response.status(status)
                .header(HeaderValues.CONTENT_TYPE_JSON)
                .send((Json.line(body) + "\n").getBytes(StandardCharsets.UTF_8));
    }

    static KeptAnswers.Answer json(Map<String, ?> body) {
        return json((Json.line(body) + "\n").getBytes(StandardCharsets.UTF_8));
    }

    static KeptAnswers.Answer json(byte[] bytes) {
        return new KeptAnswers.Answer(HeaderValues.CONTENT_TYPE_JSON, bytes);
    }

    static void refuse(ServerRequest request, ServerResponse response, Refusal refusal) {
        send(response, refusal.status(), refusal.body());
    }

    /** A mistake of ours. What it was is for the log: others learn nothing from it. */
    static void fail(ServerRequest request, ServerResponse response, Throwable thrown, Log log) {
        if (thrown instanceof HttpException known) {
            send(
                    response,
                    known.status().code(),
                    Refusal.body(String.valueOf(known.getMessage()), ""));
            return;
        }
        log.error(
                "http",
                request.prologue().method()
                        + " "
                        + request.path().rawPath()
                        + " failed: "
                        + thrown);
        send(response, 500, Refusal.body("the daemon failed", "see its log"));
    }

    /** For requests that are refused before there is a route for them. */
    static final class Unrouted implements DirectHandler {
        @Override
        public TransportResponse handle(
                TransportRequest request,
                EventType event,
                Status status,
                ServerResponseHeaders headers,
                String message) {
            String error =
                    switch (event) {
                        case PAYLOAD_TOO_LARGE ->
                                "a request of more than " + HttpListener.LONGEST_BODY + " bytes";
                        case INTERNAL_ERROR -> "the daemon failed";
                        default -> status.reasonPhrase();
                    };
            return TransportResponse.builder()
                    .status(status)
                    .headers(headers)
                    .header(HeaderValues.CONTENT_TYPE_JSON)
                    .keepAlive(false)
                    .entity(Json.line(Refusal.body(error, "")) + "\n")
                    .build();
        }
    }
}
