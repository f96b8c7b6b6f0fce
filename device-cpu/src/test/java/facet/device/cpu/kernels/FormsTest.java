package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Forms that compilers seldom write; what they give is worked out by hand from PTX ISA 9.0. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FormsTest {
    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    private static long word(String text) {
        return Long.parseUnsignedLong(text, 16);
    }

    private static void check(String expected, String body, String a, String b, String c) {
        long result = Snippet.evaluate(gpu, body, word(a), word(b), word(c));
        assertEquals(expected, Long.toHexString(result), body);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ':',
            textBlock =
                    """
                    # shifts by the width and more, with 32-bit amounts
                    f              : shr.b16 %h3, %h0, %r1; cvt.u64.u16 %d0, %h3;     : fff0 : c : 0
                    0              : shr.b16 %h3, %h0, %r1; cvt.u64.u16 %d0, %h3;     : fff0 : 10 : 0
                    0              : shl.b16 %h3, %h0, %r1; cvt.u64.u16 %d0, %h3;     : fff0 : 10001 : 0
                    ffff           : shr.s16 %h3, %h0, %r1; cvt.u64.u16 %d0, %h3;     : 8000 : 10000 : 0
                    0              : shr.b32 %r3, %r0, %r1; cvt.u64.u32 %d0, %r3;     : ffffffff : 20 : 0
                    ffffffff       : shr.s32 %r3, %r0, %r1; cvt.u64.u32 %d0, %r3;     : 80000000 : 20 : 0
                    0              : shl.b32 %r3, %r0, %r1; cvt.u64.u32 %d0, %r3;     : ffffffff : 20 : 0
                    0              : shr.b64 %d0, %rd0, %r1;                          : ffffffffffffffff : 40 : 0
                    ffffffffffffffff : shr.s64 %d0, %rd0, %r1;                        : 8000000000000000 : 40 : 0
                    0              : shl.b64 %d0, %rd0, %r1;                          : 1 : 40 : 0
                    # wide products
                    fffe0001       : mul.wide.u16 %r3, %h0, %h1; cvt.u64.u32 %d0, %r3; : ffff : ffff : 0
                    1              : mul.wide.s16 %r3, %h0, %h1; cvt.u64.u32 %d0, %r3; : ffff : ffff : 0
                    fffe7961       : mad.wide.s16 %r3, %h0, %h1, -100000; cvt.u64.u32 %d0, %r3; : 1 : 1 : 0
                    fffffffe00000002 : mad.wide.u32 %d0, %r0, %r1, 1;                 : ffffffff : ffffffff : 0
                    7fffffff       : mad.hi.sat.s32 %r3, %r0, %r1, %r2; cvt.u64.u32 %d0, %r3; : 40000000 : 40000000 : 7fffffff
                    # 16 bits
                    8000           : abs.s16 %h3, %h0; cvt.u64.u16 %d0, %h3;          : 8000 : 0 : 0
                    7fff           : neg.s16 %h3, %h0; cvt.u64.u16 %d0, %h3;          : 8001 : 0 : 0
                    7fff           : min.u16 %h3, %h0, %h1; cvt.u64.u16 %d0, %h3;     : 8000 : 7fff : 0
                    8000           : min.s16 %h3, %h0, %h1; cvt.u64.u16 %d0, %h3;     : 8000 : 7fff : 0
                    1              : sad.u16 %h3, %h0, %h1, %h2; cvt.u64.u16 %d0, %h3; : 1 : ffff : 3
                    5              : sad.s16 %h3, %h0, %h1, %h2; cvt.u64.u16 %d0, %h3; : 1 : ffff : 3
                    1              : setp.lo.s16 %p0, %h0, %h1; selp.b64 %d0, 1, 0, %p0; : 1 : ffff : 0
                    0              : setp.lt.s16 %p0, %h0, %h1; selp.b64 %d0, 1, 0, %p0; : 1 : ffff : 0
                    ffff           : selp.b16 %h3, %h0, %h1, %p0; cvt.u64.u16 %d0, %h3; : 1 : ffff : 0
                    # division by zero
                    ffffffff       : div.u32 %r3, %r0, %r1; cvt.u64.u32 %d0, %r3;     : 7 : 0 : 0
                    7              : rem.s32 %r3, %r0, %r1; cvt.u64.u32 %d0, %r3;     : 7 : 0 : 0
                    80000000       : div.s32 %r3, %r0, %r1; cvt.u64.u32 %d0, %r3;     : 80000000 : ffffffff : 0
                    # orders of operands
                    abcde56f       : bfi.b32 %r3, %r0, %r1, 4, 8; cvt.u64.u32 %d0, %r3; : 56 : abcdef0f : 0
                    bf800000       : copysign.f32 %f3, %f0, %f1; mov.b32 %r3, %f3; cvt.u64.u32 %d0, %r3; : 80000000 : 3f800000 : 0
                    23456789       : shf.l.wrap.b32 %r3, %r0, %r1, 4; cvt.u64.u32 %d0, %r3; : 9abcdef0 : 12345678 : 0
                    89abcdef       : shf.r.wrap.b32 %r3, %r0, %r1, 4; cvt.u64.u32 %d0, %r3; : 9abcdef0 : 12345678 : 0
                    55667700       : prmt.b32 %r3, %r0, %r1, 0x5670; cvt.u64.u32 %d0, %r3; : 33221100 : 77665544 : 0
                    f0             : lop3.b32 %r3, %r0, %r1, %r2, 0xf0; cvt.u64.u32 %d0, %r3; : f0 : cc : aa
                    1              : lop3.or.b32 %r3|%p1, %r0, %r1, %r2, 0xc0, %p0; selp.b64 %d0, 1, 0, %p1; : f0 : cc : aa
                    0              : lop3.and.b32 %r3|%p1, %r0, %r1, %r2, 0xc0, %p0; selp.b64 %d0, 1, 0, %p1; : f0 : cc : aa
                    # order of suffixes
                    12             : add.s32.sat %r3, %r0, %r1; cvt.u64.u32 %d0, %r3; : 10 : 2 : 0
                    bf800000       : min.abs.xorsign.NaN.f32 %f3, %f0, %f1; mov.b32 %r3, %f3; cvt.u64.u32 %d0, %r3; : bf800000 : 40000000 : 0
                    """)
    void integers(String expected, String body, String a, String b, String c) {
        check(expected, body, a, b, c);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ':',
            textBlock =
                    """
                    # saturation without a rounding
                    3f800000 : add.sat.f32 %f3, %f0, %f1;            : 3f800000 : 3f800000 : 0
                    0        : mul.ftz.sat.f32 %f3, %f0, %f1;        : bf800000 : 3f800000 : 0
                    # three inputs, magnitudes
                    3f800000 : min.abs.f32 %f3, %f0, %f1, %f2;       : c0400000 : 40000000 : bf800000
                    40400000 : max.abs.f32 %f3, %f0, %f1, %f2;       : c0400000 : 40000000 : bf800000
                    7fffffff : max.NaN.f32 %f3, %f0, %f1, %f2;       : c0400000 : 7fc00000 : bf800000
                    # halves and f32, 1.5 + 2
                    40600000 : add.f32.f16 %f3, %h0, %f2;            : 3e00 : 0 : 40000000
                    bf000000 : sub.rz.f32.f16 %f3, %h0, %f2;         : 3e00 : 0 : 40000000
                    40600000 : add.f32.bf16 %f3, %h0, %f2;           : 3fc0 : 0 : 40000000
                    40a00000 : fma.rn.f32.f16 %f3, %h0, %h1, %f2;    : 3e00 : 4000 : 40000000
                    3f800000 : fma.rp.sat.f32.bf16 %f3, %h0, %h1, %f2; : 3fc0 : 4000 : 40000000
                    # comparison
                    3f800000 : set.lt.f32.s32 %f3, %r0, %r1;         : ffffffff : 1 : 0
                    0        : set.lt.and.f32.s32 %f3, %r0, %r1, %p0; : ffffffff : 1 : 0
                    40000000 : slct.f32.f32 %f3, %f0, %f1, %f2;      : 40000000 : 3f800000 : 80000000
                    3f800000 : slct.f32.f32 %f3, %f0, %f1, %f2;      : 40000000 : 3f800000 : 7fc00000
                    3f800000 : slct.f32.s32 %f3, %f0, %f1, %r2;      : 40000000 : 3f800000 : ffffffff
                    """)
    void floats(String expected, String body, String a, String b, String c) {
        check(expected, body + " mov.b32 %r3, %f3; cvt.u64.u32 %d0, %r3;", a, b, c);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ':',
            textBlock =
                    """
                    400        : add.ftz.f16 %h3, %h0, %h1; cvt.u64.u16 %d0, %h3; : 400 : 8001 : 0
                    3c00       : set.eq.f16.f16 %h3, %h0, %h1; cvt.u64.u16 %d0, %h3; : 3e00 : 3e00 : 0
                    ffff       : set.eq.u16.f16 %h3, %h0, %h1; cvt.u64.u16 %d0, %h3; : 3e00 : 3e00 : 0
                    ffff0000   : set.eq.u32.f16x2 %r3, %r0, %r1; cvt.u64.u32 %d0, %r3; : 3e003c00 : 3e004000 : 0
                    2          : setp.eq.xor.f16x2 %p0|%p1, %r0, %r1, %p0; selp.b64 %rd3, 1, 0, %p0; selp.b64 %d0, 2, 0, %p1; or.b64 %d0, %d0, %rd3; : 3e003c00 : 3e004000 : 0
                    3          : setp.lt.or.s32 %p0|%p1, %r0, %r1, !%p0; selp.b64 %rd3, 1, 0, %p0; selp.b64 %d0, 2, 0, %p1; or.b64 %d0, %d0, %rd3; : 0 : 1 : 0
                    2          : setp.lt.s32 %p0|%p1, %r0, %r1; selp.b64 %rd3, 1, 0, %p0; selp.b64 %d0, 2, 0, %p1; or.b64 %d0, %d0, %rd3; : 1 : 0 : 0
                    # conversion; upper bits of the source do not count, the result is extended
                    ffffffffffffff80 : cvt.s64.s8 %d0, %r0;                     : ff80 : 0 : 0
                    ffffff80   : cvt.s8.s32 %r3, %r0; cvt.u64.u32 %d0, %r3;     : ff80 : 0 : 0
                    80         : cvt.u8.u32 %r3, %r0; cvt.u64.u32 %d0, %r3;     : ff80 : 0 : 0
                    7f         : cvt.sat.s8.u64 %r3, %rd0; cvt.u64.u32 %d0, %r3; : ff80 : 0 : 0
                    80         : cvt.s8.s32 %c0, %r0; cvt.u64.u8 %d0, %c0;      : ff80 : 0 : 0
                    43000000   : cvt.rn.f32.u8 %f3, %r0; mov.b32 %r3, %f3; cvt.u64.u32 %d0, %r3; : ff80 : 0 : 0
                    c3000000   : cvt.rn.f32.s8 %f3, %r0; mov.b32 %r3, %f3; cvt.u64.u32 %d0, %r3; : ff80 : 0 : 0
                    """)
    void halvesAndConversions(String expected, String body, String a, String b, String c) {
        check(expected, body, a, b, c);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ':',
            textBlock =
                    """
                    7ff00000 00000000 : rsqrt.approx.ftz.f64 %fd3, %fd0; : 1
                    3fe00000 00000000 : rsqrt.approx.ftz.f64 %fd3, %fd0; : 4010000000000000
                    7ff00000 00000000 : rcp.approx.ftz.f64 %fd3, %fd0;   : 1
                    3fd00000 00000000 : rcp.approx.ftz.f64 %fd3, %fd0;   : 4010000000000000
                    3fd55555 00000000 : rcp.approx.ftz.f64 %fd3, %fd0;   : 4008000000000000
                    """)
    void approximateDoubles(String expected, String body, String a) {
        check(expected.replace(" ", ""), body + " mov.b64 %d0, %fd3;", a, "0", "0");
    }
}
