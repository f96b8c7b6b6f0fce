package facet.doors.http;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** Long answers for those who take them packed. Quick rather than small: it is all repetition. */
final class Gzip {
    /** Shorter answers fit a packet or two anyway. */
    private static final int WORTHWHILE = 2 << 10;

    private Gzip() {}

    static boolean isWorthwhile(byte[] answer) {
        return answer.length >= WORTHWHILE;
    }

    static boolean accepts(ServerRequest request) {
        return request.headers().values(HeaderNames.ACCEPT_ENCODING).stream()
                .anyMatch(Gzip::accepts);
    }

    /** {@code gzip;q=0} is a no; what else is behind a name does not matter to us. */
    static boolean accepts(String header) {
        for (String each : header.toLowerCase(Locale.ROOT).split(",", -1)) {
            String[] parts = each.split(";", 2);
            if (parts[0].strip().equals("gzip")) {
                return parts.length == 1 || !parts[1].strip().matches("q=0(\\.0*)?");
            }
        }
        return false;
    }

    static byte[] pack(byte[] answer) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream(answer.length / 4);
        try (GZIPOutputStream out = new Quick(packed)) {
            out.write(answer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return packed.toByteArray();
    }

    private static final class Quick extends GZIPOutputStream {
        Quick(ByteArrayOutputStream out) throws IOException {
            super(out, 64 << 10);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }
}
