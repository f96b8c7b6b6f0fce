package facet.jit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How often vector code asks whether to pause. */
final class LanePollsTest {
    /**
     * 16,000 instructions of rows, fewer than there may be between two polls, but 64,000 stores:
     * each of them may touch a page that is not there yet.
     */
    private static final String STORES =
            """
            .version 8.0
            .target sm_75
            .address_size 64
            .visible .entry k(.param .u64 cells)
            {
            .local .align 8 .b8 much[1024];
            .reg .pred %p<2>; .reg .b32 %r<3>; .reg .f32 %f<3>; .reg .b64 %rd<4>;
            ld.param.u64 %rd0, [cells];
            mov.u32 %r0, %tid.x;
            mul.wide.u32 %rd1, %r0, 4;
            add.u64 %rd1, %rd1, %rd0;
            mov.u64 %rd2, much;
            mov.f32 %f0, 0f3F800000;
            FILLING
            mov.u32 %r1, 0;
            AGAIN:
            st.local.u32 [%rd2], %r0;
            add.u32 %r1, %r1, 1;
            setp.lt.u32 %p0, %r1, 1000;
            @%p0 bra AGAIN;
            st.global.f32 [%rd1], %f0;
            ret;
            }
            """;

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void eachLaneCountsThatIsDoneByItself(int vectors) {
        String text = STORES.replace("FILLING", "fma.rn.f32 %f0, %f0, %f0, %f0;\n".repeat(40));
        BothForms forms = BothForms.of(text, vectors);
        assertTrue(OneBlock.polls(forms.kernel(), forms.rows()) > 0, "vector code");
        assertTrue(OneBlock.polls(forms.kernel(), forms.scalar()) > 0, "scalar code");
    }
}
