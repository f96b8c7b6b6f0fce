package facet.node.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;

/**
 * A file as it is sent.
 *
 * @param tag changes with the contents
 */
record PageFile(byte[] plain, byte[] compressed, String type, String tag) {
    /** Of the digest; enough to tell versions apart. */
    private static final int TAG_BYTES = 12;

    static PageFile of(byte[] plain, String type) throws IOException {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write(plain);
        }
        return new PageFile(plain, compressed.toByteArray(), type, tag(plain));
    }

    private static String tag(byte[] plain) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(plain);
            // Weak: one tag for the file, compressed or not.
            return "W/\"" + HexFormat.of().formatHex(digest, 0, TAG_BYTES) + "\"";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * @param headers If-None-Match
     */
    boolean isKnown(List<String> headers) {
        return words(headers).contains(tag);
    }

    /**
     * @param headers Accept-Encoding
     */
    static boolean takesGzip(List<String> headers) {
        for (String each : words(headers)) {
            String[] parts = each.toLowerCase(Locale.ROOT).replace(" ", "").split(";", -1);
            if (parts[0].equals("gzip")) {
                return parts.length == 1 || !parts[1].matches("q=0(\\.0*)?");
            }
        }
        return false;
    }

    private static List<String> words(List<String> headers) {
        return headers.stream()
                .flatMap(each -> List.of(each.split(",", -1)).stream())
                .map(String::strip)
                .toList();
    }
}
