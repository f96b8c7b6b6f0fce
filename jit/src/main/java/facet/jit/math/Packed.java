package facet.jit.math;

/**
 * Operations on bytes and half words within 32 bits: u16x2 and s16x2 (PTX ISA 9.0, 9.7.1), dp4a and
 * dp2a (9.7.1.23, 9.7.1.24), prmt (9.7.9.7). Element 0 is in the lowest bits.
 *
 * <p>The names of dp4a and dp2a end in the types of a and b. The accumulator wraps, so its sign
 * does not matter.
 */
public final class Packed {
    private Packed() {}

    public static int lo(int a) {
        return a & 0xffff;
    }

    public static int hi(int a) {
        return a >>> 16;
    }

    public static int pack(int lo, int hi) {
        return hi << 16 | lo & 0xffff;
    }

    public static int addU16x2(int a, int b) {
        return pack(a + b, hi(a) + hi(b));
    }

    public static int addS16x2(int a, int b) {
        return addU16x2(a, b);
    }

    public static int minU16x2(int a, int b) {
        return pack(Math.min(lo(a), lo(b)), Math.min(hi(a), hi(b)));
    }

    public static int maxU16x2(int a, int b) {
        return pack(Math.max(lo(a), lo(b)), Math.max(hi(a), hi(b)));
    }

    public static int minS16x2(int a, int b) {
        return pack(Math.min((short) a, (short) b), Math.min(a >> 16, b >> 16));
    }

    public static int maxS16x2(int a, int b) {
        return pack(Math.max((short) a, (short) b), Math.max(a >> 16, b >> 16));
    }

    public static int minReluS16x2(int a, int b) {
        return maxS16x2(minS16x2(a, b), 0);
    }

    public static int maxReluS16x2(int a, int b) {
        return maxS16x2(maxS16x2(a, b), 0);
    }

    public static int dp4aU32U32(int a, int b, int c) {
        return c
                + u8(a, 0) * u8(b, 0)
                + u8(a, 1) * u8(b, 1)
                + u8(a, 2) * u8(b, 2)
                + u8(a, 3) * u8(b, 3);
    }

    public static int dp4aU32S32(int a, int b, int c) {
        return c
                + u8(a, 0) * s8(b, 0)
                + u8(a, 1) * s8(b, 1)
                + u8(a, 2) * s8(b, 2)
                + u8(a, 3) * s8(b, 3);
    }

    public static int dp4aS32U32(int a, int b, int c) {
        return dp4aU32S32(b, a, c);
    }

    public static int dp4aS32S32(int a, int b, int c) {
        return c
                + s8(a, 0) * s8(b, 0)
                + s8(a, 1) * s8(b, 1)
                + s8(a, 2) * s8(b, 2)
                + s8(a, 3) * s8(b, 3);
    }

    public static int dp2aLoU32U32(int a, int b, int c) {
        return c + lo(a) * u8(b, 0) + hi(a) * u8(b, 1);
    }

    public static int dp2aLoU32S32(int a, int b, int c) {
        return c + lo(a) * s8(b, 0) + hi(a) * s8(b, 1);
    }

    public static int dp2aLoS32U32(int a, int b, int c) {
        return c + (short) a * u8(b, 0) + (a >> 16) * u8(b, 1);
    }

    public static int dp2aLoS32S32(int a, int b, int c) {
        return c + (short) a * s8(b, 0) + (a >> 16) * s8(b, 1);
    }

    public static int dp2aHiU32U32(int a, int b, int c) {
        return dp2aLoU32U32(a, b >>> 16, c);
    }

    public static int dp2aHiU32S32(int a, int b, int c) {
        return dp2aLoU32S32(a, b >>> 16, c);
    }

    public static int dp2aHiS32U32(int a, int b, int c) {
        return dp2aLoS32U32(a, b >>> 16, c);
    }

    public static int dp2aHiS32S32(int a, int b, int c) {
        return dp2aLoS32S32(a, b >>> 16, c);
    }

    private static int u8(int a, int index) {
        return a >>> index * 8 & 0xff;
    }

    private static int s8(int a, int index) {
        return (byte) (a >>> index * 8);
    }

    /** Each nibble of c selects a byte of b:a, or with its top bit the sign of that byte. */
    public static int prmt(int a, int b, int c) {
        long bytes = bytes(a, b);
        return select(bytes, c)
                | select(bytes, c >>> 4) << 8
                | select(bytes, c >>> 8) << 16
                | select(bytes, c >>> 12) << 24;
    }

    public static int prmtF4e(int a, int b, int c) {
        return (int) (bytes(a, b) >>> (c & 3) * 8);
    }

    public static int prmtB4e(int a, int b, int c) {
        return prmt(a, b, row(0x0123_7012_6701_5670L, c));
    }

    public static int prmtRc8(int a, int b, int c) {
        return u8(a, c & 3) * 0x0101_0101;
    }

    public static int prmtEcl(int a, int b, int c) {
        return prmt(a, b, row(0x3333_3222_3211_3210L, c));
    }

    public static int prmtEcr(int a, int b, int c) {
        return prmt(a, b, row(0x3210_2210_1110_0000L, c));
    }

    public static int prmtRc16(int a, int b, int c) {
        return (a >>> (c & 1) * 16 & 0xffff) * 0x0001_0001;
    }

    /** The manual's table of a mode, four selectors of 16 bits, indexed by the low bits of c. */
    private static int row(long table, int c) {
        return (int) (table >>> (c & 3) * 16);
    }

    private static long bytes(int a, int b) {
        return (long) b << 32 | a & 0xffff_ffffL;
    }

    private static int select(long bytes, int selector) {
        int value = (byte) (bytes >>> (selector & 7) * 8);
        return ((selector & 8) != 0 ? value >> 7 : value) & 0xff;
    }
}
