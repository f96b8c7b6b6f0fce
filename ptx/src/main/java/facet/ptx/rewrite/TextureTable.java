package facet.ptx.rewrite;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * How the table lies in memory in which kernels find textures by their number: a power of two of
 * places of 64 bytes behind a head as long as one of them. A number is in the first place from
 * {@link #place} on, in circles, that is not another's; what is behind an empty place is not there.
 *
 * <pre>
 *   head      0  u64  how many places there are, less one
 *   place     0  u64  the number; 0: empty; -1: it was taken once, look further
 *             8  u64  what the driver calls the texture; 0: it is a surface
 *            16  u64  of a surface: the address of its first element; else 0
 *            24  u64  bytes from row to row
 *            32  u64  bytes from slice to slice
 *            40  u32  bytes of a row that count
 *            44  u32  rows
 *            48  u32  slices
 * </pre>
 */
public final class TextureTable {
    public static final int PLACE_BYTES = 64;
    public static final long EMPTY = 0;
    public static final long GONE = -1;

    /** Multiplicative hashing: the golden ratio in 64 bits. */
    static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    static final int SHIFT = 40;

    private TextureTable() {}

    /** Where the search for a number begins. */
    public static int place(long number, int places) {
        return (int) (number * SPREAD >>> SHIFT) & places - 1;
    }

    public static byte[] texture(long number, long object) {
        return buffer(number).putLong(object).array();
    }

    /**
     * @param width in bytes
     */
    public static byte[] surface(
            long number, long address, long pitch, long slice, int width, int height, int depth) {
        return buffer(number)
                .putLong(0)
                .putLong(address)
                .putLong(pitch)
                .putLong(slice)
                .putInt(width)
                .putInt(height)
                .putInt(depth)
                .array();
    }

    public static byte[] head(int places) {
        return buffer(places - 1L).array();
    }

    private static ByteBuffer buffer(long first) {
        return ByteBuffer.allocate(PLACE_BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(first);
    }

    /**
     * The functions that look there, as PTX.
     *
     * @param stem what all their names begin with
     */
    static String functions(String version, String target, String stem) {
        return """
        .version VERSION
        .target TARGET
        .address_size 64
        .global .align 8 .u64 STEM_table;
        .global .align 16 .b8 STEM_zeros[16];
        .global .align 16 .b8 STEM_spill[16];

        // The place of a number, or the empty one that ends the search.
        .func (.reg .b64 %found) STEM_find(.reg .b64 %number)
        {
            .reg .b64 %n<8>;
            .reg .pred %q<4>;
            ld.global.u64 %n1, [STEM_table];
            ld.global.u64 %n2, [%n1];
            mul.lo.s64 %n3, %number, SPREAD;
            shr.u64 %n3, %n3, SHIFT;
        LOOK:
            and.b64 %n3, %n3, %n2;
            shl.b64 %n4, %n3, 6;
            add.s64 %found, %n1, %n4;
            add.s64 %found, %found, 64;
            ld.global.u64 %n5, [%found];
            add.s64 %n3, %n3, 1;
            setp.ne.s64 %q1, %n5, %number;
            setp.ne.and.s64 %q2, %n5, 0, %q1;
            @%q2 bra LOOK;
            ret;
        }

        // What the driver calls a texture; 0, which is none, for a number that is unknown.
        .func (.reg .b64 %object) STEM_texture(.reg .b64 %number)
        {
            .reg .b64 %n<2>;
            call (%n1), STEM_find, (%number);
            ld.global.u64 %object, [%n1+8];
            ret;
        }

        // Where bytes of a surface are; 0, where nothing is, for what does not exist. Outside of
        // it that depends on edge: 0 nowhere, 1 at the edge, 2 zeros, 3 where it does no harm.
        .func (.reg .b64 %place) STEM_surface(.reg .b64 %number, .reg .b32 %x, .reg .b32 %y, .reg .b32 %z, .reg .b32 %bytes, .reg .b32 %edge)
        {
            .reg .b64 %n<12>;
            .reg .b32 %s<12>;
            .reg .pred %q<8>;
            call (%n1), STEM_find, (%number);
            ld.global.u64 %n2, [%n1+16];
            ld.global.u64 %n3, [%n1+24];
            ld.global.u64 %n4, [%n1+32];
            ld.global.u32 %s1, [%n1+40];
            ld.global.u32 %s2, [%n1+44];
            ld.global.u32 %s3, [%n1+48];
            sub.s32 %s1, %s1, %bytes;
            sub.s32 %s2, %s2, 1;
            sub.s32 %s3, %s3, 1;
            max.s32 %s4, %x, 0;
            min.s32 %s4, %s4, %s1;
            max.s32 %s5, %y, 0;
            min.s32 %s5, %s5, %s2;
            max.s32 %s6, %z, 0;
            min.s32 %s6, %s6, %s3;
            cvt.s64.s32 %n5, %s4;
            cvt.s64.s32 %n6, %s5;
            cvt.s64.s32 %n7, %s6;
            add.s64 %n5, %n5, %n2;
            mad.lo.s64 %n5, %n6, %n3, %n5;
            mad.lo.s64 %n5, %n7, %n4, %n5;
            // inside: the edge has changed nothing
            setp.eq.s32 %q1, %s4, %x;
            setp.eq.and.s32 %q1, %s5, %y, %q1;
            setp.eq.and.s32 %q1, %s6, %z, %q1;
            setp.eq.s32 %q2, %edge, 1;
            or.pred %q1, %q1, %q2;
            // a row that is too short for it has no edge
            setp.ge.and.s32 %q1, %s1, 0, %q1;
            selp.b64 %n5, %n5, 0, %q1;
            mov.u64 %n8, STEM_zeros;
            mov.u64 %n9, STEM_spill;
            setp.eq.s32 %q3, %edge, 3;
            selp.b64 %n8, %n9, %n8, %q3;
            setp.ge.s32 %q3, %edge, 2;
            not.pred %q4, %q1;
            and.pred %q3, %q3, %q4;
            selp.b64 %n5, %n8, %n5, %q3;
            setp.ne.s64 %q5, %n2, 0;
            selp.b64 %place, %n5, 0, %q5;
            ret;
        }
        """
                .replace("VERSION", version)
                .replace("TARGET", target)
                .replace(
                        "SPREAD",
                        "0x" + Long.toHexString(SPREAD).toUpperCase(java.util.Locale.ROOT))
                .replace("SHIFT", Integer.toString(SHIFT))
                .replace("STEM_", stem);
    }
}
