package facet.ptx.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.ptx.Module;
import facet.ptx.Parser;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class WriteSetTest {
    private static final String HEADER =
            """
            .version 8.0
            .target sm_80
            .address_size 64
            .global .b32 counter;
            .global .b32 other;
            .const .b64 table[4];
            .extern .shared .b8 dynamic[];
            .extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
            .extern .func mystery(.param .b64 a);
            .func (.param .b64 back) same(.param .b64 in)
            {
                .reg .b64 %x;
                ld.param.b64 %x, [in];
                add.s64 %x, %x, 8;
                st.param.b64 [back], %x;
                ret;
            }
            .func put(.param .b64 where, .param .b32 what)
            {
                .reg .b64 %x;
                .reg .b32 %y;
                ld.param.b64 %x, [where];
                ld.param.b32 %y, [what];
                st.b32 [%x], %y;
                ret;
            }
            .visible .entry k(.param .u64 a, .param .u64 b, .param .u32 n,
                .param .align 8 .b8 s[32], .param .u64 m)
            {
                .reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %rd<20>; .reg .f32 %f<9>;
                .local .align 8 .b8 depot[64];
                .shared .b32 tile[64];
                ld.param.u64 %rd1, [a];
                ld.param.u64 %rd2, [b];
                ld.param.u32 %r1, [n];
                ld.param.u64 %rd3, [s+16];
                ld.param.u64 %rd4, [m];
                cvta.to.global.u64 %rd5, %rd1;
                mul.wide.s32 %rd6, %r1, 4;
                add.s64 %rd7, %rd5, %rd6;
            """;

    private static WriteSet writes(String body) {
        Module module = Parser.parse(HEADER + body + "\nret;\n}\n");
        return WriteSet.of(module, module.function("k").orElseThrow());
    }

    private static WriteSet.Target at(int parameter, long offset) {
        return new WriteSet.Target(parameter, offset);
    }

    private static void only(String body, WriteSet.Target... targets) {
        assertEquals(new WriteSet(false, Set.of(targets), Set.of()), writes(body));
    }

    private static void everything(String body) {
        assertTrue(writes(body).everything(), body);
    }

    @Test
    void nothing() {
        only("ld.global.f32 %f1, [%rd7]; st.shared.f32 [tile], %f1; st.local.b32 [depot], %r1;");
    }

    @Test
    void throughAPointerPlusAnIndex() {
        only("st.global.f32 [%rd7+4], %f1;", at(0, 0));
        only("atom.global.add.u32 %r2, [%rd7], 1;", at(0, 0));
        only("red.add.u32 [%rd2], 1;", at(1, 0));
        only("shl.b64 %rd8, %rd4, 3; add.s64 %rd8, %rd8, %rd5; st.b64 [%rd8], %rd4;", at(0, 0));
        only("discard.global.L2 [%rd2], 128;", at(1, 0));
    }

    @Test
    void insideAStruct() {
        only("st.global.b32 [%rd3], 1;", at(3, 16));
        only("ld.param.v2.u64 {%rd8, %rd9}, [s]; st.global.b32 [%rd9], 1;", at(3, 8));
        only(
                "mov.b64 %rd8, s; ld.param.u64 %rd9, [%rd8+8]; st.global.b32 [%rd9], 1;",
                at(3, WriteSet.Target.ANYWHERE));
    }

    @Test
    void eitherOfTwo() {
        only("selp.b64 %rd8, %rd1, %rd2, %p1; st.b32 [%rd8], 1;", at(0, 0), at(1, 0));
        only("add.s64 %rd8, %rd1, %rd4; st.b32 [%rd8], 1;", at(0, 0), at(4, 0));
    }

    @Test
    void variables() {
        WriteSet set = writes("mov.u64 %rd8, counter; st.global.b32 [%rd8], 1;");
        assertEquals(new WriteSet(false, Set.of(), Set.of("counter")), set);
        set =
                writes(
                        "cvta.global.u64 %rd8, other; red.add.u32 [%rd8], 1; st.global.b32"
                                + " [counter], 1;");
        assertEquals(new WriteSet(false, Set.of(), Set.of("counter", "other")), set);
    }

    @Test
    void ownMemoryGivesBackWhatWasStored() {
        only(
                "st.local.b64 [depot+8], %rd2; mov.b64 %rd8, depot; cvta.local.u64 %rd9, %rd8;"
                        + "ld.b64 %rd10, [%rd9+8]; st.b32 [%rd10], 1; st.b32 [%rd9], 1;",
                at(1, 0));
        everything(
                "st.local.b32 [depot], %r1; cvt.u32.u64 %r2, %rd1; st.local.b32 [depot],"
                        + " %r2;st.local.b64 [depot+8], %rd2; ld.local.b64 %rd8, [depot]; st.b32"
                        + " [%rd8], 1;");
        only("mov.u32 %r2, dynamic; add.u32 %r2, %r2, 4; st.shared.b32 [%r2], 1;");
    }

    @Test
    void untraceable() {
        everything("ld.global.b64 %rd8, [%rd7]; st.global.b32 [%rd8], 1;");
        everything("ld.const.b64 %rd8, [table]; st.global.b32 [%rd8], 1;");
        everything("mov.b64 {%r2, %r3}, %rd1; mov.b64 %rd8, {%r2, %r3}; st.global.b32 [%rd8], 1;");
        everything("cvt.u64.u32 %rd8, %r1; st.global.b32 [%rd8], 1;");
        everything("shl.b64 %rd8, %rd4, 3; st.global.b32 [%rd8], 1;");
        everything("st.global.b32 [%rd19], 1;");
        everything("ld.global.b64 %rd8, [%rd7]; add.s64 %rd8, %rd8, %rd1; st.b32 [%rd8], 1;");
    }

    @Test
    void directCalls() {
        only(
                "{ .param .b64 p; .param .b32 q; st.param.b64 [p], %rd2; st.param.b32 [q], %r1;"
                        + "call put, (p, q); }",
                at(1, 0));
        only(
                "{ .param .b64 p; .param .b64 q; st.param.b64 [p], %rd2;"
                        + "call (q), same, (p); ld.param.b64 %rd8, [q]; } st.b32 [%rd8], 1;",
                at(1, 0));
    }

    @Test
    void foreignCalls() {
        String print =
                "{ .param .b64 p; .param .b64 q; .param .b32 o; st.param.b64 [p], %rd1;"
                        + "st.param.b64 [q], %rd2; call (o), vprintf, (p, q); }";
        assertFalse(writes(print).everything());
        everything("{ .param .b64 p; st.param.b64 [p], %rd1; call mystery, (p); }");
        everything(
                "{ .param .b64 p; pt: .callprototype _ (.param .b64 _); st.param.b64 [p], %rd1;"
                        + "call %rd9, (p), pt; }");
    }
}
