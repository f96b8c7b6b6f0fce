package facet.pool.relay;

/** Words as eight bytes. */
final class Bytes {
    private static final long LOW_HALF = 0x0f0f_0f0f_0f0f_0f0fL;
    private static final long LOW_PAIR = 0x0303_0303_0303_0303L;
    private static final long LOW_BIT = 0x0101_0101_0101_0101L;

    private Bytes() {}

    /** All bits of the bytes in which two words differ. */
    static long thatDiffer(long one, long other) {
        long bits = one ^ other;
        bits = bits & LOW_HALF | bits >>> 4 & LOW_HALF;
        bits = bits & LOW_PAIR | bits >>> 2 & LOW_PAIR;
        bits = bits & LOW_BIT | bits >>> 1 & LOW_BIT;
        return bits * 0xff;
    }
}
