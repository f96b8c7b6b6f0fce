package facet.kube.serve;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Who asks: with the token, or with nothing. */
public final class Strangers {
    private Strangers() {}

    private static HttpResponse<String> send(TestDoor door, String path, String body)
            throws Exception {
        ServerKeys trusting =
                new ServerKeys(
                        door.authority(), "asks", java.util.List.of(), java.time.Instant.now());
        try (HttpClient client = HttpClient.newBuilder().sslContext(trusting.context()).build()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create(door.url() + path))
                            .POST(HttpRequest.BodyPublishers.ofString(body))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    public static String post(TestDoor door, String path, String body) throws Exception {
        return send(door, "/" + door.token() + path, body).body();
    }

    public static int statusWithoutCertificate(TestDoor door, String path) throws Exception {
        return send(door, path, "{}").statusCode();
    }
}
