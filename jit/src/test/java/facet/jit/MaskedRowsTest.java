package facet.jit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lanes that have parted: those that are elsewhere neither touch memory nor fault. */
final class MaskedRowsTest {
    /** Makes rows worth their while. */
    private static final String FILLING = "fma.rn.f32 %f0, %f0, %f0, %f0;\n".repeat(40);

    /** Some threads, the first of them {@link #FIRST_SET}, do not have the predicate. */
    private static final String HEAD =
            """
            .version 8.0
            .target sm_75
            .address_size 64
            .visible .entry k(.param .u64 cells)
            {
            .reg .pred %p<4>; .reg .b32 %r<9>; .reg .b16 %h<4>; .reg .f32 %f<3>; .reg .b64 %rd<9>;
            ld.param.u64 %rd0, [cells];
            mov.u32 %r0, %tid.x;
            mul.wide.u32 %rd1, %r0, 4;
            add.u64 %rd1, %rd1, %rd0;
            mov.b64 %rd2, 0x2492488421084210;
            shr.b64 %rd3, %rd2, %r0;
            cvt.u32.u64 %r1, %rd3;
            and.b32 %r1, %r1, 1;
            setp.eq.u32 %p0, %r1, 0;
            mov.f32 %f0, 0f3F800000;
            """
                    + FILLING;

    private static final int FIRST_SET = 4;

    private static String both(String statements, int vectors) {
        BothForms forms =
                BothForms.of(HEAD + statements + "st.global.f32 [%rd1+8192], %f0; ret; }", vectors);
        String expected = OneBlock.run(forms.kernel(), forms.scalar());
        assertEquals(expected, OneBlock.run(forms.kernel(), forms.rows()));
        return expected;
    }

    /** Those that are elsewhere have addresses outside of all memory. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void lanesThatAreElsewhereDoNotFault(int vectors) {
        for (String type : List.of("u8", "u16", "u32", "u64")) {
            String ends =
                    both(
                            """
                            mul.wide.u32 %rd4, %r0, 8;
                            add.u64 %rd4, %rd4, %rd0;
                            @%p0 mov.u64 %rd4, 16;
                            @%p0 bra OFF;
                            ld.global.TYPE VALUE, [%rd4];
                            st.global.TYPE [%rd4+16384], VALUE;
                            OFF:
                            """
                                    .replace("TYPE", type)
                                    .replace("VALUE", type.equals("u64") ? "%rd5" : "%r2"),
                            vectors);
            assertTrue(ends.startsWith("ended"), ends);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aFaultIsThatOfALaneThatIsThere(int vectors) {
        String faults =
                both(
                        """
                        @%p0 bra OFF;
                        ld.global.u32 %r2, [16];
                        st.global.u32 [%rd1+8192], %r2;
                        OFF:
                        """,
                        vectors);
        assertTrue(faults.startsWith("thread " + FIRST_SET + ":"), faults);
    }

    /** Each lane goes round as often as its number says, and only then does the next thing. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void lanesLeaveALoopOneByOne(int vectors) {
        String ends =
                both(
                        """
                        ld.global.u32 %r3, [%rd1];
                        and.b32 %r3, %r3, 7;
                        mov.u32 %r4, 0;
                        mov.u64 %rd4, %rd1;
                        AGAIN:
                        setp.ge.u32 %p1, %r4, %r3;
                        @%p1 bra OUT;
                        st.global.u32 [%rd4+16384], %r4;
                        add.u64 %rd4, %rd4, 256;
                        add.u32 %r4, %r4, 1;
                        bra AGAIN;
                        OUT:
                        st.global.u32 [%rd1+12288], %r4;
                        """,
                        vectors);
        assertTrue(ends.startsWith("ended"), ends);
    }
}
