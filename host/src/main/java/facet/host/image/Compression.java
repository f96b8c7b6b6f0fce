package facet.host.image;

import io.airlift.compress.v3.lz4.Lz4JavaDecompressor;
import io.airlift.compress.v3.zstd.ZstdJavaDecompressor;

/** How an entry of a fat binary is stored. */
public enum Compression {
    NONE,
    LZ4,
    ZSTD;

    /** The largest PTX a client may send; a real one of a big library has some 60 MB. */
    static final long MOST_BYTES = 512L << 20;

    /**
     * What a byte can become at best: an LZ4 length byte stands for 255 bytes. Zstd can repeat
     * more, but no text does.
     */
    private static final long MOST_RATIO = 4096;

    static Compression of(long flags) {
        if ((flags & FatBinaryLayout.FLAG_ZSTD) != 0) {
            return ZSTD;
        }
        return (flags & FatBinaryLayout.FLAG_LZ4) != 0 ? LZ4 : NONE;
    }

    byte[] expand(byte[] stored, long bytes) throws ImageException {
        if (this == NONE) {
            return stored;
        }
        if (bytes <= 0 || bytes > MOST_BYTES || bytes / MOST_RATIO > stored.length) {
            throw ImageException.malformed(
                    stored.length + " compressed bytes that say to be " + bytes);
        }
        byte[] expanded = new byte[Math.toIntExact(bytes)];
        int written;
        try {
            written =
                    switch (this) {
                        case LZ4 ->
                                new Lz4JavaDecompressor()
                                        .decompress(
                                                stored,
                                                0,
                                                stored.length,
                                                expanded,
                                                0,
                                                expanded.length);
                        case ZSTD ->
                                new ZstdJavaDecompressor()
                                        .decompress(
                                                stored,
                                                0,
                                                stored.length,
                                                expanded,
                                                0,
                                                expanded.length);
                        case NONE -> throw new AssertionError();
                    };
        } catch (RuntimeException e) {
            // The decompressors tell of broken input by exceptions of several kinds.
            throw new ImageException(
                    ImageException.Kind.MALFORMED, "the " + this + " data is broken: " + e, e);
        }
        if (written != expanded.length) {
            throw ImageException.malformed(
                    "the " + this + " data has " + written + " bytes, not " + bytes);
        }
        return expanded;
    }
}
