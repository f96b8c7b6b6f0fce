package facet.host.image;

import java.nio.charset.StandardCharsets;

/** PTX as bytes: ASCII, with zeros behind it where it was padded. */
final class PtxText {
    private PtxText() {}

    /** Up to the first zero. PTX is ASCII; comments may hold other bytes, which read as Latin-1. */
    static String of(byte[] bytes) throws ImageException {
        int length = 0;
        while (length < bytes.length && bytes[length] != 0) {
            length++;
        }
        for (int i = 0; i < length; i++) {
            int each = bytes[i];
            if (each >= 0
                    && each < ' '
                    && each != '\n'
                    && each != '\r'
                    && each != '\t'
                    && each != '\f'
                    && each != 0x0B) {
                throw new ImageException(
                        ImageException.Kind.MALFORMED,
                        "neither PTX text nor a fat binary: byte " + each + " at " + i);
            }
        }
        String text = new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
        if (text.isBlank()) {
            throw new ImageException(ImageException.Kind.INVALID_PTX, "the PTX is empty");
        }
        return text;
    }
}
