package facet.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.doors.control.Access;
import facet.log.Log;
import facet.slices.document.StateFolder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The daemon over HTTP, at a loopback address. */
@Timeout(300)
class HttpDoorsTest {
    @TempDir private Path folder = Path.of("/nowhere");

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final Log log =
            new Log(new PrintStream(written, true, StandardCharsets.UTF_8), Log.Level.DEBUG);
    private final List<AutoCloseable> open = new ArrayList<>();
    private final HttpClient client = HttpClient.newHttpClient();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
        client.close();
    }

    private <T extends AutoCloseable> T closing(T one) {
        open.add(one);
        return one;
    }

    private Daemon daemon(Options options) throws IOException {
        RuntimeFolder runtime = closing(RuntimeFolder.take(options.runtime(), Access.OWNER));
        StateFolder state = closing(StateFolder.take(options.state()));
        return closing(new Daemon(options, Facetd.MAINS, runtime, state, log));
    }

    /** Where it listens. */
    private String start(String... more) throws Exception {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "--runtime-dir",
                                folder.resolve("run").toString(),
                                "--state-dir",
                                folder.resolve("run/state").toString(),
                                "--memory",
                                "256M"));
        arguments.addAll(List.of(more));
        Options options = Options.parse(arguments.toArray(String[]::new));
        Daemon daemon = daemon(options);
        closing(new HttpDoors(options.http(), options.state(), daemon, log)).openUsual();
        return String.valueOf(daemon.status().get("http"));
    }

    private String token() throws IOException {
        return Files.readString(folder.resolve("run/state/http-token")).strip();
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        HttpResponse<String> response =
                client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        assertEquals(
                "application/json", response.headers().firstValue("Content-Type").orElse("none"));
        assertTrue(response.headers().firstValue("Access-Control-Allow-Origin").isEmpty());
        return response;
    }

    private static HttpRequest.Builder at(String url, String path) {
        return HttpRequest.newBuilder(URI.create(url + path));
    }

    private static HttpRequest.Builder with(
            HttpRequest.Builder request, String method, String body) {
        return request.header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body));
    }

    @Test
    void readingAtLoopbackNeedsNoToken() throws Exception {
        String url = start("--http", "127.0.0.1:0");
        assertFalse(url.endsWith(":0"), url);
        assertEquals("{\"ok\":true}\n", send(at(url, "/healthz")).body());
        String status = send(at(url, "/api/v1/status")).body();
        assertTrue(status.contains("\"devices\":1,\"slices\":1,\"sessions\":0"), status);
        String devices = send(at(url, "/api/v1/devices")).body();
        assertTrue(devices.startsWith("{\"devices\":[{\"device\":0,"), devices);
        String slices = send(at(url, "/api/v1/slices")).body();
        assertTrue(slices.startsWith("{\"slices\":[{\"name\":\"default\","), slices);
        String slice = send(at(url, "/api/v1/slices/default")).body();
        assertTrue(slice.startsWith("{\"name\":\"default\","), slice);
        assertEquals("{\"sessions\":[]}\n", send(at(url, "/api/v1/sessions")).body());
    }

    @Test
    void thereIsSomethingToWatch() throws Exception {
        String url = start("--http", "127.0.0.1:0", "--devices", "2");
        String live = send(at(url, "/api/v1/live")).body();
        assertTrue(live.contains("\"status\":{\"pid\":"), live);
        assertTrue(live.contains("\"name\":\"default\""), live);
        String history = "";
        long end = System.nanoTime() + 60_000_000_000L;
        while (!history.contains("\"got\":[0") && System.nanoTime() - end < 0) {
            Thread.sleep(100);
            history = send(at(url, "/api/v1/history")).body();
        }
        assertTrue(history.contains("\"slices\":[{\"name\":\"default\",\"got\":[0"), history);
        assertTrue(history.contains("{\"device\":1,\"busy\":[0"), history);
        live = send(at(url, "/api/v1/live")).body();
        assertTrue(live.contains("\"busy\":0.0"), live);
        assertTrue(live.contains("\"got\":0.0,\"gotOn\":[0.0,0.0]"), live);
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/history?second=5,there is no parameter 'second'",
        "/api/v1/history?seconds=0,seconds is 1 to 3600",
        "/api/v1/history?seconds=x,not 'x'",
        "/api/v1/history?seconds=1&seconds=2,given twice",
        "/api/v1/history?step=99999,step is",
        "/api/v1/history?since=-5,since is",
        "/api/v1/live?x=1,there is no parameter 'x'"
    })
    void wrongParametersAreRefused(String path, String why) throws Exception {
        String url = start("--http", "127.0.0.1:0");
        HttpResponse<String> response = send(at(url, path));
        assertEquals(400, response.statusCode());
        assertTrue(response.body().contains(why), response.body());
    }

    @Test
    void longAnswersArePackedForThoseWhoTakeThem() throws Exception {
        String url = start("--http", "127.0.0.1:0", "--devices", "16");
        HttpResponse<byte[]> packed =
                client.send(
                        at(url, "/api/v1/live").header("Accept-Encoding", "br, gzip").build(),
                        HttpResponse.BodyHandlers.ofByteArray());
        assertEquals("gzip", packed.headers().firstValue("Content-Encoding").orElse("none"));
        String body =
                new String(
                        new GZIPInputStream(new ByteArrayInputStream(packed.body())).readAllBytes(),
                        StandardCharsets.UTF_8);
        assertTrue(body.endsWith("}\n") && body.length() > packed.body().length, body);
        HttpResponse<String> plain =
                send(at(url, "/api/v1/live").header("Accept-Encoding", "gzip;q=0"));
        assertEquals("none", plain.headers().firstValue("Content-Encoding").orElse("none"));
        assertTrue(plain.body().startsWith("{\"now\":"), plain.body());
    }

    @Test
    void changingNeedsTheToken() throws Exception {
        String url = start("--http", "127.0.0.1:0");
        String bearer = "Bearer " + token();
        String body = "{\"name\":\"one\",\"memory\":\"64M\",\"compute\":30}";
        HttpResponse<String> none = send(with(at(url, "/api/v1/slices"), "POST", body));
        assertEquals(401, none.statusCode());
        assertEquals("Bearer", none.headers().firstValue("WWW-Authenticate").orElse(""));
        for (String wrong : new String[] {bearer + "x", "Bearer", token(), "Basic " + token()}) {
            assertEquals(
                    401,
                    send(with(at(url, "/api/v1/slices"), "POST", body)
                                    .header("Authorization", wrong))
                            .statusCode());
        }
        assertEquals(404, send(at(url, "/api/v1/slices/one")).statusCode());

        HttpResponse<String> made =
                send(with(at(url, "/api/v1/slices"), "POST", body).header("Authorization", bearer));
        assertEquals(201, made.statusCode(), made.body());
        assertEquals("/api/v1/slices/one", made.headers().firstValue("Location").orElse(""));
        assertTrue(made.body().startsWith("{\"slice\":\"one\",\"action\":\"created\""));
        String changed =
                send(with(at(url, "/api/v1/slices/one"), "PATCH", "{\"memory\":\"128M\"}")
                                .header("Authorization", bearer))
                        .body();
        assertTrue(changed.contains("\"from\":\"64MiB\",\"to\":\"128MiB\""), changed);
        String applied =
                send(with(
                                        at(url, "/api/v1/slices?prune=true"),
                                        "PUT",
                                        "{\"slices\":[{\"name\":\"two\",\"memory\":\"32M\"}]}")
                                .header("Authorization", bearer))
                        .body();
        assertTrue(applied.contains("{\"slice\":\"one\",\"action\":\"deleted\""), applied);
        assertTrue(applied.contains("{\"slice\":\"two\",\"action\":\"created\""), applied);
        HttpResponse<String> gone =
                send(at(url, "/api/v1/slices/two").DELETE().header("Authorization", bearer));
        assertEquals(200, gone.statusCode(), gone.body());
        assertEquals(404, send(at(url, "/api/v1/slices/two")).statusCode());
    }

    @Test
    void aWrongTokenIsRefusedEvenForReading() throws Exception {
        String url = start("--http", "127.0.0.1:0");
        assertEquals(
                401,
                send(at(url, "/healthz").header("Authorization", "Bearer " + "0".repeat(43)))
                        .statusCode());
    }

    @Test
    void theLogHasNoSecrets() throws Exception {
        String url = start("--http", "127.0.0.1:0");
        String guess = "a-guess-that-is-not-it";
        for (int i = 0; i < 20; i++) {
            send(
                    with(at(url, "/api/v1/slices"), "POST", "{}")
                            .header("Authorization", "Bearer " + guess));
        }
        send(
                with(at(url, "/api/v1/slices"), "POST", "{\"name\":\"one\"}")
                        .header("Authorization", "Bearer " + token()));
        String said = written.toString(StandardCharsets.UTF_8);
        // The line may come a moment after the answer.
        for (int i = 0; i < 100 && !said.contains("127.0.0.1: POST /api/v1/slices"); i++) {
            Thread.sleep(50);
            said = written.toString(StandardCharsets.UTF_8);
        }
        assertTrue(said.contains("refused 127.0.0.1: a wrong token"), said);
        assertTrue(said.lines().filter(each -> each.contains("refused")).count() <= 5, said);
        assertTrue(said.contains("127.0.0.1: POST /api/v1/slices"), said);
        assertFalse(said.contains(guess), said);
        assertFalse(said.contains(token()), said);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POST|/api/v1/slices|{\"name\":\"default\"}|409|there is a slice 'default' already",
                "POST|/api/v1/slices|{\"memory\":\"64M\"}|400|no 'name'",
                "POST|/api/v1/slices|{\"name\":\"a\",\"memry\":\"64M\"}|400|there is no 'memry'",
                "POST|/api/v1/slices|{\"name\":\"a\",\"memory\":[1]}|400|a string or a number",
                "POST|/api/v1/slices|{\"name\":\"a\",\"name\":\"b\"}|400|no JSON",
                "POST|/api/v1/slices|{\"name\":\"a\",\"compute\":101}|400|percent",
                "POST|/api/v1/slices|{\"name\":\"a\",\"memory\":\"4T\"}|409|4",
                "POST|/api/v1/slices|[]|400|JSON object",
                "POST|/api/v1/slices|{\"name\"|400|no JSON",
                "PUT|/api/v1/slices|{}|400|slices",
                "PUT|/api/v1/slices?prun=true|{\"slices\":[]}|400|prun",
                "PATCH|/api/v1/slices/none|{\"memory\":\"64M\"}|404|there is no slice 'none'",
                "PATCH|/api/v1/slices/default|{}|400|nothing to change",
                "PATCH|/api/v1/slices/default|{\"name\":\"other\"}|400|keeps its name",
                "DELETE|/api/v1/slices/none||404|there is no slice 'none'",
                "DELETE|/api/v1/slices/default||409|cannot be deleted",
                "DELETE|/api/v1/slices||405|it has GET, POST, PUT",
                "POST|/api/v1/status|{}|405|it has GET",
                "GET|/api/v2/status||404|there is no path",
                "GET|/assets||404|there is no path"
            })
    void whatIsWrongIsSaid(String method, String path, String body, int status, String text)
            throws Exception {
        String url = start("--http", "127.0.0.1:0");
        HttpResponse<String> response =
                send(
                        with(at(url, path), method, body == null ? "" : body)
                                .header("Authorization", "Bearer " + token()));
        assertEquals(status, response.statusCode(), response.body());
        assertTrue(response.body().startsWith("{\"error\":\""), response.body());
        assertTrue(response.body().contains(text), response.body());
    }

    @Test
    void aBodyHasATypeAndALimit() throws Exception {
        String url = start("--http", "127.0.0.1:0");
        HttpRequest.Builder form =
                at(url, "/api/v1/slices")
                        .header("Authorization", "Bearer " + token())
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(HttpRequest.BodyPublishers.ofString("{\"name\":\"a\"}"));
        assertEquals(415, send(form).statusCode());
        String answer =
                raw(
                        url,
                        "PUT /api/v1/slices HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                                + token()
                                + "\r\nContent-Type: application/json\r\n"
                                + "Content-Length: 99999999\r\n\r\n");
        assertTrue(answer.startsWith("HTTP/1.1 413 "), answer);
    }

    /** The JDK's client does not let one choose the Host header. */
    private static String raw(String url, String request) throws IOException {
        URI at = URI.create(url);
        try (Socket socket = new Socket(at.getHost(), at.getPort())) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "localhost,200",
        "127.0.0.1:1,200",
        "[::1],200",
        "evil.example,403",
        "10.0.0.1,403"
    })
    void theHostHeaderNamesThisMachine(String host, int status) throws Exception {
        String url = start("--http", "127.0.0.1:0");
        String answer =
                raw(
                        url,
                        "GET /healthz HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
        assertTrue(answer.startsWith("HTTP/1.1 " + status + " "), answer);
    }

    /** Who reads to the end of the connection waits for it. */
    @ParameterizedTest
    @ValueSource(strings = {"/healthz", "/metrics", "/nothing"})
    void aConnectionIsClosedWhenThatIsAsked(String path) throws Exception {
        URI at = URI.create(start("--http", "127.0.0.1:0"));
        try (Socket socket = new Socket(at.getHost(), at.getPort())) {
            socket.setSoTimeout(20_000);
            String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n";
            OutputStream out = socket.getOutputStream();
            out.write((request + "\r\n").getBytes(StandardCharsets.US_ASCII));
            out.write((request + "Connection: close\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            // Both answers, then the end.
            String answers =
                    new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(3, answers.split("HTTP/1.1 ", -1).length, answers);
        }
    }

    @ParameterizedTest
    @CsvSource({"'GARBAGE\r\n\r\n'", "'GET /healthz HTTP/1.1\r\n\r\n'"})
    void whatIsNoRequestGetsJsonToo(String request) throws Exception {
        String answer = raw(start("--http", "127.0.0.1:0"), request);
        assertTrue(answer.startsWith("HTTP/1.1 400 "), answer);
        assertTrue(answer.endsWith("{\"error\":\"Bad Request\"}\n"), answer);
    }

    @Test
    void aTakenPortIsAnErrorOnlyWhereItWasAskedFor() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            IOException refused =
                    assertThrows(
                            IOException.class,
                            () -> start("--http", "127.0.0.1:" + taken.getLocalPort()));
            assertTrue(
                    String.valueOf(refused.getMessage())
                            .contains(
                                    "cannot listen for HTTP at 127.0.0.1:" + taken.getLocalPort()),
                    refused.getMessage());
        }
    }

    @Test
    void theUsualPortMayBeTaken() throws Exception {
        // When something else has it already, that serves as well.
        try (AutoCloseable _ = take(7411)) {
            assertEquals("off", start());
        }
        String said = written.toString(StandardCharsets.UTF_8);
        assertTrue(said.contains("the daemon goes on without HTTP"), said);
    }

    private static AutoCloseable take(int port) {
        try {
            return new ServerSocket(port, 1, InetAddress.ofLiteral("127.0.0.1"));
        } catch (IOException e) {
            return () -> {};
        }
    }

    @Test
    void whoAsksForNothingKeepsNobodyOut() throws Exception {
        String url = start("--http", "127.0.0.1:0");
        URI address = URI.create(url);
        List<Socket> silent = new ArrayList<>();
        try {
            for (int i = 0; i < 700; i++) {
                Socket socket = new Socket(address.getHost(), address.getPort());
                silent.add(socket);
                if (i % 2 == 0) {
                    socket.getOutputStream()
                            .write(
                                    "GET /healthz HTTP/1.1\r\nHost: "
                                            .getBytes(StandardCharsets.UTF_8));
                }
            }
            HttpResponse<String> answer =
                    send(at(url, "/healthz").timeout(java.time.Duration.ofMinutes(2)));
            assertEquals(200, answer.statusCode());
        } finally {
            for (Socket each : silent) {
                each.close();
            }
        }
    }

    @Test
    void aCrowdIsAnsweredAndSlowedDown() throws Exception {
        String url = start("--http", "127.0.0.1:0");
        List<java.util.concurrent.CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            all.add(
                    client.sendAsync(
                            at(url, "/api/v1/history?seconds=" + (3600 - i % 2)).build(),
                            HttpResponse.BodyHandlers.ofString()));
        }
        for (var each : all) {
            assertEquals(200, each.get().statusCode());
        }
    }

    @Test
    void offIsOff() throws Exception {
        assertEquals("off", start("--http", "off"));
        assertFalse(Files.exists(folder.resolve("run/state/http-token")));
    }
}
