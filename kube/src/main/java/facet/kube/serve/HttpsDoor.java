package facet.kube.serve;

import io.helidon.common.tls.Tls;
import io.helidon.common.tls.TlsClientAuth;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Map;
import java.util.function.Function;

/**
 * An HTTPS server with a few places to POST to. Whoever asks has a certificate of the
 * installation's authority, or begins the path with the token: the configurations of webhooks and
 * extenders have a place for a path, and none for a header.
 */
public final class HttpsDoor implements AutoCloseable {
    private static final int MOST_BYTES = 4 << 20;

    private final WebServer server;

    private HttpsDoor(WebServer server) {
        this.server = server;
    }

    /**
     * @param address on which it listens
     * @param port 0: any
     * @param token a word of a path; who knows it may ask
     * @param open places that anybody may GET, such as /healthz
     * @param places what is answered to bodies, as JSON
     */
    public static HttpsDoor open(
            String address,
            int port,
            ServerKeys keys,
            String token,
            Map<String, Function<String, String>> open,
            Map<String, Function<String, String>> places)
            throws GeneralSecurityException {
        if (token.length() < 32) {
            throw new IllegalArgumentException("a token has at least 32 characters");
        }
        HttpRouting.Builder routing = HttpRouting.builder();
        open.forEach((path, answer) ->
                routing.get(path, (_, response) -> response.send(answer.apply(""))));
        places.forEach((path, answer) -> {
            routing.any(
                    path,
                    (request, response) -> answer(request, response, answer, isMember(request)));
            routing.any(
                    "/{token}" + path,
                    (request, response) ->
                            answer(
                                    request,
                                    response,
                                    answer,
                                    isMember(request)
                                            || same(
                                                    token,
                                                    request.path().pathParameters().get("token"))));
        });
        WebServer server =
                WebServer.builder()
                        .host(address)
                        .port(port)
                        .shutdownHook(false)
                        .featuresDiscoverServices(false)
                        .maxPayloadSize(MOST_BYTES)
                        .tls(
                                Tls.builder()
                                        .sslContext(keys.context())
                                        .clientAuth(TlsClientAuth.OPTIONAL)
                                        .build())
                        .routing(routing)
                        .build()
                        .start();
        return new HttpsDoor(server);
    }

    private static boolean isMember(ServerRequest request) {
        return request.remotePeer().tlsCertificates().map(each -> each.length > 0).orElse(false);
    }

    private static boolean same(String token, String other) {
        return MessageDigest.isEqual(
                token.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }

    private static void answer(
            ServerRequest request,
            ServerResponse response,
            Function<String, String> answer,
            boolean may) {
        if (!may) {
            response.status(Status.FORBIDDEN_403)
                    .send("this is for members of the cluster, with their certificate or token");
            return;
        }
        String body =
                request.content().hasEntity()
                        ? new String(request.content().as(byte[].class), StandardCharsets.UTF_8)
                        : "";
        String text = answer.apply(body);
        response.header(HeaderNames.CONTENT_TYPE, "application/json").send(text);
    }

    public int port() {
        return server.port();
    }

    @Override
    public void close() {
        server.stop();
    }
}
