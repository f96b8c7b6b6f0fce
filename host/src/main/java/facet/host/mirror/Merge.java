package facet.host.mirror;

/** Two words that were alike and may both have been written since. */
final class Merge {
    private static final long LOWER = 0xffff_ffffL;
    private static final long LOW_HALF = 0x0f0f_0f0f_0f0f_0f0fL;
    private static final long LOW_PAIR = 0x0303_0303_0303_0303L;
    private static final long LOW_BIT = 0x0101_0101_0101_0101L;

    private Merge() {}

    /**
     * The bytes that the host has written, and of the others the device's.
     *
     * @param common what both had when they were last alike
     */
    static long of(long common, long host, long device) {
        long written = bytesThatDiffer(common, host);
        return host & written | device & ~written;
    }

    /**
     * What to write when only some bytes of a word are the host's: the whole of each half that the
     * device has not written too, since nobody is to see a number of which a part is missing.
     *
     * @param bytes all bits of the bytes to write
     * @param theirs all bits of the bytes that the device has written
     */
    static long inHalves(long bytes, long theirs) {
        long lower = (bytes & LOWER) != 0 && (theirs & LOWER) == 0 ? LOWER : 0;
        long upper = (bytes & ~LOWER) != 0 && (theirs & ~LOWER) == 0 ? ~LOWER : 0;
        return bytes | lower | upper;
    }

    /** All bits of the bytes in which two words differ. */
    static long bytesThatDiffer(long one, long other) {
        long bits = one ^ other;
        bits = bits & LOW_HALF | bits >>> 4 & LOW_HALF;
        bits = bits & LOW_PAIR | bits >>> 2 & LOW_PAIR;
        bits = bits & LOW_BIT | bits >>> 1 & LOW_BIT;
        return bits * 0xff;
    }
}
