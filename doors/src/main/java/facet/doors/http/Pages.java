package facet.doors.http;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The dashboard's files, from the class path. Module web says in a table which there are, so that
 * no request ever names a file. They hold no secret and come without a token; what they show does
 * not.
 */
final class Pages {
    private static final String FOLDER = "/facet/web/";
    private static final String TABLE = FOLDER + "files.table";

    /** Nothing from elsewhere, nothing inline, and nobody may put the page into a frame. */
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                    + " connect-src 'self'; base-uri 'none'; form-action 'none';"
                    + " frame-ancestors 'none'";

    private final Map<String, Entry> entries;
    private final Map<String, PageFile> loaded = new ConcurrentHashMap<>();

    /**
     * @param resource in the folder of the table
     */
    private record Entry(String resource, String type) {}

    private Pages(Map<String, Entry> entries) {
        this.entries = entries;
    }

    /** Reads the table; files are read when they are asked for. Without module web it is empty. */
    static Pages find() throws IOException {
        Optional<byte[]> table = read(TABLE);
        if (table.isEmpty()) {
            return new Pages(Map.of());
        }
        Map<String, Entry> entries = new TreeMap<>();
        for (String line : new String(table.get(), StandardCharsets.UTF_8).lines().toList()) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            List<String> words = List.of(line.strip().split("\\s+", 3));
            if (words.size() != 3) {
                throw new IOException(TABLE + " has a line with too few words: " + line);
            }
            entries.put(words.get(0), new Entry(words.get(1), words.get(2)));
        }
        return new Pages(entries);
    }

    boolean has(String path) {
        return entries.containsKey(path);
    }

    void addTo(HttpRouting.Builder routing) {
        for (String path : entries.keySet()) {
            routing.get(path, (request, response) -> send(path, request, response));
            Api.only(routing, path, "GET");
        }
    }

    private void send(String path, ServerRequest request, ServerResponse response)
            throws IOException {
        PageFile file = file(path);
        response.header("Content-Security-Policy", POLICY);
        response.header("Referrer-Policy", "no-referrer");
        response.header("Cross-Origin-Opener-Policy", "same-origin");
        response.header("Cross-Origin-Resource-Policy", "same-origin");
        // Kept, but asked for each time: another version of the daemon has other files.
        response.header("Cache-Control", "no-cache");
        response.header("Vary", "Accept-Encoding");
        response.header("ETag", file.tag());
        if (file.isKnown(request.headers().values(HeaderNames.IF_NONE_MATCH))) {
            response.status(304).send();
            return;
        }
        response.header("Content-Type", file.type());
        if (request.headers().values(HeaderNames.ACCEPT_ENCODING).stream()
                .anyMatch(Gzip::accepts)) {
            response.header("Content-Encoding", "gzip");
            response.send(file.compressed());
        } else {
            response.send(file.plain());
        }
    }

    PageFile file(String path) throws IOException {
        PageFile file = loaded.get(path);
        if (file == null) {
            Entry entry = entries.get(path);
            if (entry == null) {
                throw new IOException("no file is served at " + path);
            }
            byte[] bytes =
                    read(FOLDER + entry.resource())
                            .orElseThrow(() ->
                                    new IOException(TABLE + " names what is not there: " + entry));
            file = PageFile.of(bytes, entry.type());
            loaded.put(path, file);
        }
        return file;
    }

    private static Optional<byte[]> read(String resource) throws IOException {
        try (InputStream stream = Pages.class.getResourceAsStream(resource)) {
            return stream == null ? Optional.empty() : Optional.of(stream.readAllBytes());
        }
    }
}
