package facet.doors.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.doors.control.Operations;
import facet.log.Log;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard's files, as they are sent. */
@Timeout(300)
class PagesTest {
    private static final Pattern REFERENCE =
            Pattern.compile("(?:src|href)=\"(/[^\"]*)\"|from '\\./([^']+)'");

    @TempDir private Path folder = Path.of("/nowhere");

    private static String text(Pages pages, String path) throws IOException {
        return new String(pages.file(path).plain(), StandardCharsets.UTF_8);
    }

    private static int follow(Pages pages, String path) throws IOException {
        int count = 0;
        Matcher reference = REFERENCE.matcher(text(pages, path));
        while (reference.find()) {
            String wanted =
                    reference.group(1) != null
                            ? reference.group(1)
                            : "/assets/" + reference.group(2);
            assertTrue(pages.has(wanted), path + " wants " + wanted + ", which is not served");
            assertTrue(pages.file(wanted).plain().length > 0, wanted);
            count += 1 + (wanted.endsWith("main.js") ? follow(pages, wanted) : 0);
        }
        return count;
    }

    @Test
    void everythingThatThePageAsksForIsServed() throws IOException {
        Pages pages = Pages.find();
        assertTrue(follow(pages, "/") > 10);
        assertFalse(pages.has("/assets/"));
        assertFalse(pages.has("/files.table"));
        assertTrue(text(pages, "/assets/chart.license").contains("MIT"));
    }

    /** The policy that is sent would keep them from running. */
    @Test
    void nothingIsInline() throws IOException {
        String page = text(Pages.find(), "/");
        assertFalse(Pattern.compile("<script(?![^>]* src=)").matcher(page).find());
        assertFalse(Pattern.compile("<style|\\sstyle=|\\son[a-z]+=").matcher(page).find());
    }

    @Test
    void isReadWithoutTokenWhereAllElseNeedsIt() throws Exception {
        try (HttpListener listener = open(false);
                HttpClient client = HttpClient.newHttpClient()) {
            String url = "http://127.0.0.1:" + listener.port();
            HttpResponse<byte[]> page = get(client, url + "/", "Accept-Encoding", "br, gzip");
            assertEquals(200, page.statusCode());
            assertEquals("text/html; charset=utf-8", header(page, "Content-Type"));
            assertEquals("nosniff", header(page, "X-Content-Type-Options"));
            assertTrue(header(page, "Content-Security-Policy").contains("script-src 'self';"));
            assertEquals("no-cache", header(page, "Cache-Control"));
            assertEquals("gzip", header(page, "Content-Encoding"));
            HttpResponse<byte[]> plain = get(client, url + "/", "Accept-Encoding", "gzip;q=0");
            assertEquals("", header(plain, "Content-Encoding"));
            try (GZIPInputStream unpacked =
                    new GZIPInputStream(new ByteArrayInputStream(page.body()))) {
                assertArrayEquals(plain.body(), unpacked.readAllBytes());
            }
            HttpResponse<byte[]> again =
                    get(client, url + "/", "If-None-Match", header(page, "ETag"));
            assertEquals(304, again.statusCode());
            assertEquals(0, again.body().length);
            assertEquals(200, get(client, url + "/", "If-None-Match", "W/\"other\"").statusCode());

            for (String path : new String[] {"/api/v1/status", "/healthz", "/assets/none.js"}) {
                assertEquals(401, get(client, url + path, "Accept", "*/*").statusCode(), path);
            }
            assertEquals(
                    401,
                    get(client, url + "/", "Authorization", "Bearer wrong").statusCode(),
                    "a token that is given must be right");
            HttpRequest post =
                    HttpRequest.newBuilder(URI.create(url + "/"))
                            .POST(HttpRequest.BodyPublishers.noBody())
                            .build();
            assertEquals(
                    401, client.send(post, HttpResponse.BodyHandlers.discarding()).statusCode());
        }
    }

    /** Names that are not in the table reach no file, however they are written. */
    @Test
    void namesNoOtherFile() throws Exception {
        try (HttpListener listener = open(true);
                HttpClient client = HttpClient.newHttpClient()) {
            String url = "http://127.0.0.1:" + listener.port();
            for (String path :
                    new String[] {
                        "/assets/", "/assets/chart.js/LICENSE.md", "/assets/%2e%2e/files.table",
                        "/files.table", "/index.html", "/assets/..%2ffiles.table"
                    }) {
                assertEquals(404, get(client, url + path, "Accept", "*/*").statusCode(), path);
            }
        }
    }

    private HttpListener open(boolean loopback) throws IOException {
        Log log =
                new Log(
                        new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
                        Log.Level.DEBUG);
        Pages pages = Pages.find();
        Budget budget = new Budget();
        Gate gate =
                new Gate(
                        loopback,
                        Token.readOrMake(folder.resolve("token")),
                        "a file",
                        new Failures(text -> {}, System::nanoTime),
                        pages::has,
                        budget);
        Api api = new Api(nobody(), new KeptAnswers(budget, System::nanoTime), log);
        return HttpListener.open(
                HttpAddress.parse("127.0.0.1:0"), Optional.empty(), gate, pages, api, log);
    }

    /** Files are sent without asking anybody. */
    private static Operations nobody() {
        return (Operations)
                Proxy.newProxyInstance(
                        Operations.class.getClassLoader(),
                        new Class<?>[] {Operations.class},
                        (_, method, _) -> {
                            throw new IllegalStateException(method + " was asked for");
                        });
    }

    private static HttpResponse<byte[]> get(
            HttpClient client, String url, String header, String value) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url)).header(header, value).build();
        return client.send(request, HttpResponse.BodyHandlers.ofByteArray());
    }

    private static String header(HttpResponse<byte[]> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }
}
