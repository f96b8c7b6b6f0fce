package facet.jit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.jit.runtime.Lanes;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows longer than a warp: what they do to memory is what one thread after the other does. */
final class LongRowsTest {
    private static final int VECTORS = 4;

    /** Steps of a block through elements of so many bytes, as long as there are so many. */
    private static String steps(int bytes, int count, String statements) {
        return """
        .version 8.0
        .target sm_75
        .address_size 64
        .visible .entry k(.param .u64 cells)
        {
        .shared .align 4 .b8 counts[1024];
        .reg .pred %p<4>; .reg .b32 %r<19>; .reg .b16 %h<9>; .reg .f32 %f<9>; .reg .b64 %rd<19>;
        ld.param.u64 %rd0, [cells];
        mov.u32 %r0, %tid.x;
        mov.u32 %r1, %ctaid.x;
        mov.u32 %r2, %ntid.x;
        mad.lo.s32 %r3, %r1, %r2, %r0;
        mul.wide.u32 %rd9, %r0, 4;
        add.u64 %rd9, %rd9, %rd0;
        setp.ge.s32 %p0, %r3, COUNT;
        @%p0 bra OUT;
        AGAIN:
        mul.wide.s32 %rd1, %r3, BYTES;
        add.u64 %rd1, %rd1, %rd0;
        STATEMENTS
        add.s32 %r3, %r3, %r2;
        setp.lt.s32 %p1, %r3, COUNT;
        @%p1 bra AGAIN;
        OUT:
        ret;
        }
        """
                .replace("STATEMENTS", statements)
                .replace("BYTES", "" + bytes)
                .replace("COUNT", "" + count);
    }

    private static String both(String text) {
        BothForms forms = BothForms.of(text, VECTORS);
        assertEquals(VECTORS * Lanes.COUNT, forms.rows().lanes());
        String expected = OneBlock.run(forms.kernel(), forms.scalar());
        assertEquals(expected, OneBlock.run(forms.kernel(), forms.rows()));
        assertEquals(
                expected,
                OneBlock.run(forms.kernel(), forms.rows(), runner -> runner.train(true, null)));
        return expected;
    }

    /** Rows that are whole, rows whose lanes part, and none. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100, 128, 250, 256})
    void copies(int count) {
        List<String> kinds =
                List.of("u8 %h0", "s8 %h0", "u16 %h0", "s16 %h0", "b32 %r4", "f32 %f0", "u64 %rd2");
        for (String kind : kinds) {
            String type = kind.substring(0, kind.indexOf(' '));
            String value = kind.substring(kind.indexOf(' ') + 1);
            int bytes = Integer.parseInt(type.substring(1)) / 8;
            String ends =
                    both(
                            steps(
                                    bytes,
                                    count,
                                    "ld.global.%s %s, [%%rd1]; st.global.%s [%%rd1+8192], %s;"
                                            .formatted(type, value, type, value)));
            assertTrue(ends.startsWith("ended"), ends);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 128, 250})
    void copiesOfVectors(int count) {
        List<String> kinds =
                List.of(
                        "v2.u8 {%h0, %h1}",
                        "v4.u8 {%h0, %h1, %h2, %h3}",
                        "v2.u16 {%h0, %h1}",
                        "v4.u16 {%h0, %h1, %h2, %h3}",
                        "v2.u32 {%r4, %r5}",
                        "v4.f32 {%f0, %f1, %f2, %f3}",
                        "v2.u64 {%rd2, %rd3}");
        for (String kind : kinds) {
            String type = kind.substring(0, kind.indexOf(' '));
            String values = kind.substring(kind.indexOf(' ') + 1);
            int bytes =
                    (type.charAt(1) - '0') * Integer.parseInt(type.replaceAll("v.\\..", "")) / 8;
            String ends =
                    both(
                            steps(
                                    bytes,
                                    count,
                                    "ld.global.%s %s, [%%rd1]; st.global.%s [%%rd1+8192], %s;"
                                            .formatted(type, values, type, values)));
            assertTrue(ends.startsWith("ended"), ends);
        }
    }

    /** What is in another order, or read once more, is no copy. */
    @Test
    void whatOnlyLooksLikeACopy() {
        List<String> others =
                List.of(
                        "ld.global.v2.u32 {%r4, %r5}, [%rd1]; st.global.v2.u32 [%rd1+8192], {%r5, %r4};",
                        "ld.global.u32 %r4, [%rd1]; st.global.u32 [%rd1+8192], %r4;"
                                + " st.global.u32 [%rd1+16384], %r4;",
                        "ld.global.u32 %r4, [%rd1]; st.global.u32 [%rd1], %r3;"
                                + " st.global.u32 [%rd1+8192], %r4;",
                        "ld.global.u32 %r4, [%rd1]; add.u64 %rd1, %rd1, 8192; st.global.u32 [%rd1], %r4;",
                        "ld.global.u32 %r4, [%rd1]; ld.global.u32 %r5, [%rd1+4096];"
                                + " st.global.u32 [%rd1+8192], %r4; st.global.u32 [%rd1+16384], %r5;");
        for (String each : others) {
            int bytes = each.contains("v2") ? 8 : 4;
            assertTrue(both(steps(bytes, 250, each)).startsWith("ended"));
        }
    }

    @Test
    void valuesThatAreComputed() {
        String ends =
                both(
                        steps(
                                4,
                                250,
                                """
                                ld.global.f32 %f0, [%rd1];
                                ld.global.f32 %f1, [%rd1+1024];
                                fma.rn.f32 %f2, %f0, %f1, %f1;
                                st.global.f32 [%rd1+8192], %f2;
                                """));
        assertTrue(ends.startsWith("ended"), ends);
    }

    /** Threads that meet, and count what they read one by one. */
    @Test
    void countsInSharedMemory() {
        String ends =
                both(
                        steps(
                                        1,
                                        1000,
                                        """
                                        ld.global.u8 %h0, [%rd1];
                                        mul.wide.u16 %r4, %h0, 4;
                                        mov.u32 %r5, counts;
                                        add.u32 %r4, %r4, %r5;
                                        atom.shared.add.u32 %r6, [%r4], 1;
                                        """)
                                .replace("OUT:", "OUT: bar.sync 0;"));
        assertTrue(ends.startsWith("ended"), ends);
    }

    /** The first thread that is outside, whether it reads or writes there. */
    @ParameterizedTest
    @ValueSource(ints = {65_536 - 40, 65_536 - 64, 65_536})
    void faultsAreTheFirstThreads(int from) {
        for (String access :
                List.of(
                        "ld.global.u8 %h0, [%rd1+FROM]; st.global.u8 [%rd1], %h0;",
                        "ld.global.u8 %h0, [%rd1]; st.global.u8 [%rd1+FROM], %h0;")) {
            String ends = both(steps(1, 64, access.replace("FROM", "" + from)));
            assertEquals(from == 65_536 - 64, ends.startsWith("ended"), ends);
        }
    }

    /** A thread's number alone parts long rows in every block: such kernels have short ones. */
    @Test
    void areForKernelsWhoseThreadsStayTogether() {
        for (String statement :
                List.of(
                        "setp.lt.u32 %p2, %r0, 7; @%p2 bra OUT;",
                        "mov.u32 %r4, %laneid; st.global.u32 [%rd1], %r4;",
                        "shr.u32 %r4, %r0, 5; st.global.u32 [%rd1], %r4;",
                        "ld.global.u32 %r4, [%rd1]; setp.lt.u32 %p2, %r4, 7; @%p2 st.global.u32 [%rd1], %r3;")) {
            String text = steps(4, 250, statement + "st.global.u32 [%rd1+8192], %r3;\n".repeat(8));
            BothForms forms = BothForms.of(text, VECTORS);
            assertEquals(Lanes.WIDE, forms.rows().lanes(), statement);
            assertEquals(
                    OneBlock.run(forms.kernel(), forms.scalar()),
                    OneBlock.run(forms.kernel(), forms.rows()));
        }
    }
}
