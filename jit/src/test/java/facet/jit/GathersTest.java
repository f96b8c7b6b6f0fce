package facet.jit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows whose lanes are apart in memory: at equal distances, and anywhere in shared memory. */
final class GathersTest {
    /** Makes rows worth their while. */
    private static final String FILLING = "fma.rn.f32 %f0, %f0, %f0, %f0;\n".repeat(60);

    private static final List<String> KINDS =
            List.of("u8 %h0", "s8 %h0", "u8 %r4", "s8 %r4", "u16 %h0", "s16 %r4", "b32 %r4");

    /** A register with a place in shared memory that no two threads have in common. */
    private static final String HEAD =
            """
            .version 8.0
            .target sm_75
            .address_size 64
            .visible .entry k(.param .u64 cells)
            {
            .shared .align 4 .b8 room[8192];
            .reg .pred %p<4>; .reg .b32 %r<19>; .reg .b16 %h<9>; .reg .f32 %f<9>; .reg .b64 %rd<19>;
            ld.param.u64 %rd0, [cells];
            mov.u32 %r0, %tid.x;
            mul.wide.u32 %rd9, %r0, 4;
            add.u64 %rd9, %rd9, %rd0;
            mul.lo.u32 %r1, %r0, %r0;
            add.u32 %r1, %r1, %r0;
            shr.u32 %r1, %r1, 1;
            and.b32 %r1, %r1, 63;
            shl.b32 %r1, %r1, 2;
            mov.f32 %f0, 0f3F800000;
            """
                    + FILLING;

    private static final String TAIL = "st.global.f32 [%rd9+49152], %f0; ret; }";

    private static String both(String statements, int vectors) {
        BothForms forms = BothForms.of(HEAD + statements + TAIL, vectors);
        String expected = OneBlock.run(forms.kernel(), forms.scalar());
        assertEquals(expected, OneBlock.run(forms.kernel(), forms.rows()));
        assertEquals(
                expected,
                OneBlock.run(forms.kernel(), forms.rows(), runner -> runner.train(true, null)));
        return expected;
    }

    /** The value as the register has it. */
    private static String shown(String value) {
        return value.startsWith("%h")
                ? "cvt.u32.u16 %r5, VALUE; st.global.u32 [%rd9+8192], %r5;"
                : "st.global.u32 [%rd9+8192], VALUE;";
    }

    private static void each(String statements, int vectors) {
        for (String kind : KINDS) {
            String type = kind.substring(0, kind.indexOf(' '));
            String value = kind.substring(kind.indexOf(' ') + 1);
            String ends =
                    both(
                            statements
                                    .replace("SHOWN", shown(value))
                                    .replace("TYPE", type)
                                    .replace("VALUE", value),
                            vectors);
            assertTrue(ends.startsWith("ended"), ends);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void strides(int vectors) {
        for (int stride : List.of(12, 64, -36)) {
            each(
                    """
                    mul.wide.s32 %%rd1, %%r0, %d;
                    add.s64 %%rd1, %%rd1, %%rd0;
                    ld.global.TYPE VALUE, [%%rd1+2304];
                    SHOWN
                    st.global.TYPE [%%rd1+32768], VALUE;
                    """
                            .formatted(stride),
                    vectors);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void stridesInSharedMemory(int vectors) {
        each(
                """
                mul.lo.u32 %r6, %r0, 20;
                ld.shared.TYPE VALUE, [%r6+40];
                SHOWN
                st.shared.TYPE [%r6+4096], VALUE;
                """,
                vectors);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void anywhereInSharedMemory(int vectors) {
        each(
                """
                ld.shared.TYPE VALUE, [%r1+40];
                SHOWN
                st.shared.TYPE [%r1+4096], VALUE;
                """,
                vectors);
    }

    /** Several lanes at one place: the last one's value stays. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void atOnePlace(int vectors) {
        String ends = both("and.b32 %r6, %r1, 12; st.shared.u32 [%r6], %r0;", vectors);
        assertTrue(ends.startsWith("ended"), ends);
    }

    /** What one lane must not do is its fault, whatever the others do. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void faults(int vectors) {
        for (String access :
                List.of(
                        "ld.shared.u32 %r4, [%r1+8000]; st.global.u32 [%rd9], %r4;",
                        "st.shared.u32 [%r1+8000], %r0;",
                        "ld.shared.u32 %r4, [%r1+2]; st.global.u32 [%rd9], %r4;",
                        "ld.shared.u16 %h4, [%r1+-4]; st.shared.u16 [%r1], %h4;",
                        "mul.lo.u32 %r6, %r0, 128; ld.shared.u32 %r4, [%r6+400]; st.global.u32 [%rd9], %r4;",
                        "mul.wide.u32 %rd1, %r0, 1024; add.u64 %rd1, %rd1, %rd0; st.global.u32 [%rd1+1024], %r0;",
                        "mul.wide.u32 %rd1, %r0, 12; add.u64 %rd1, %rd1, %rd0;"
                                + " ld.global.u32 %r4, [%rd1+-24]; st.global.u32 [%rd9], %r4;",
                        "cvt.u64.u32 %rd3, %r0; mul.lo.s64 %rd4, %rd3, 65536; mul.lo.s64 %rd5, %rd4, 65536;"
                                + " add.s64 %rd1, %rd5, %rd0; ld.global.u32 %r4, [%rd1]; st.global.u32 [%rd9], %r4;",
                        "mul.wide.u32 %rd1, %r0, 6; add.u64 %rd1, %rd1, %rd0;"
                                + " ld.global.u32 %r4, [%rd1]; st.global.u32 [%rd9], %r4;")) {
            String ends = both(access, vectors);
            assertTrue(ends.startsWith("thread "), access + ": " + ends);
        }
    }
}
