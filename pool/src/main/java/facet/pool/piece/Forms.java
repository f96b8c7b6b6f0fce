package facet.pool.piece;

import facet.pool.content.ContentStore;

/**
 * How a piece is written, little-endian. What stands before it (kind of message, context, place) is
 * its user's.
 *
 * <pre>
 *   length:u32 form:u8 0:u8[3] | [mask:u64] [tag:u64[2]] | bytes
 *
 *   MASKED   a bit for each page of 4 KiB: only those with their bit set follow, the others are
 *            zeros
 *   TAGGED   is to be kept under its tag
 *   KNOWN    was kept under its tag: no bytes follow
 *   LZ4, ZSTD  the bytes are compressed
 * </pre>
 */
final class Forms {
    static final int MASKED = 1;
    static final int TAGGED = 2;
    static final int KNOWN = 4;
    static final int LZ4 = 8;
    static final int ZSTD = 16;
    static final int ALL = MASKED | TAGGED | KNOWN | LZ4 | ZSTD;

    static final int HEAD = 8;
    static final int PAGE = 4 << 10;
    static final int PIECE = ContentStore.PIECE;

    private Forms() {}

    /** All pages of a piece. */
    static long allPages(int length) {
        int pages = Math.ceilDiv(length, PAGE);
        return pages >= Long.SIZE ? -1 : (1L << pages) - 1;
    }

    /** Bytes of the pages that a mask names. */
    static int bytesOf(long mask, int length) {
        int pages = Math.ceilDiv(length, PAGE);
        int sum = Long.bitCount(mask) * PAGE;
        int last = length - (pages - 1) * PAGE;
        return (mask >>> pages - 1 & 1) != 0 ? sum - PAGE + last : sum;
    }
}
