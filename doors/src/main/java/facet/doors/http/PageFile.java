package facet.doors.http;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * A file as it is sent.
 *
 * @param tag changes with the contents
 */
record PageFile(byte[] plain, byte[] compressed, String type, String tag) {
    /** Of the digest; enough to tell versions apart. */
    private static final int TAG_BYTES = 12;

    static PageFile of(byte[] plain, String type) {
        return new PageFile(plain, Gzip.pack(plain), type, tag(plain));
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

    private static List<String> words(List<String> headers) {
        return headers.stream()
                .flatMap(each -> List.of(each.split(",", -1)).stream())
                .map(String::strip)
                .toList();
    }
}
