package facet.jit.pass;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.jit.Compiler;
import facet.ptx.Module;
import facet.ptx.Parser;
import facet.ptx.Verifier;
import facet.ptx.Work;
import facet.ptx.flow.Body;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where lanes part and come together. */
@Timeout(60)
final class SectionsTest {
    private static Body body(String statements) {
        Module module =
                Parser.parse(
                        """
                        .version 8.0
                        .target sm_75
                        .address_size 64
                        .visible .entry k(.param .u64 cells)
                        {
                        .reg .pred %p<400>; .reg .b32 %r<400>; .reg .b64 %rd<4>;
                        ld.param.u64 %rd0, [cells];
                        mov.u32 %r0, %tid.x;
                        mul.wide.u32 %rd1, %r0, 4;
                        add.u64 %rd1, %rd1, %rd0;
                        ld.global.u32 %r1, [%rd1];
                        """
                                + statements
                                + "ret;\n}\n");
        Verifier.verify(module);
        return InlineCalls.inline(new Compiler(module).graph(), module.kernels().getFirst());
    }

    /** The last register that has the name. */
    private static boolean varies(Body body, Sections sections, String name) {
        return body.registers().stream()
                .filter(each -> each.name().equals(name))
                .anyMatch(each -> sections.shapes().of(each).isVarying());
    }

    @Test
    void aBranchByDataIsASectionAndWhatItLeavesVaries() {
        Body body =
                body(
                        """
                        mov.u32 %r2, 1; mov.u32 %r3, 1; mov.u32 %r4, 7;
                        setp.lt.u32 %p0, %r1, 100;
                        @%p0 bra OFF;
                        mov.u32 %r2, 2; add.u32 %r5, %r4, 1; mov.u32 %r6, %r5;
                        OFF:
                        st.global.u32 [%rd1], %r2;
                        st.global.u32 [%rd1], %r3;
                        """);
        Sections sections = Sections.of(body);
        assertEquals(1, sections.all().size());
        assertEquals(body.label("OFF"), sections.all().getFirst().join());
        assertTrue(varies(body, sections, "%r2"), "written by some lanes, read by all");
        assertTrue(!varies(body, sections, "%r3"), "written by all");
        assertTrue(!varies(body, sections, "%r6"), "read by nobody behind");
    }

    @Test
    void whereThreadsMeetNoLaneIsAlone() {
        Sections sections =
                Sections.of(
                        body(
                                """
                                setp.lt.u32 %p0, %r1, 100;
                                @%p0 bra OFF;
                                bar.sync 0;
                                OFF:
                                """));
        assertEquals(0, sections.all().size());
    }

    /** Each branch jumps over all the others that are left, or back to all before. */
    @Test
    void manyBranchesAreBoundedWork() {
        StringBuilder text = new StringBuilder();
        int count = 140;
        for (int i = 0; i < count; i++) {
            text.append("L%d: setp.lt.u32 %%p%d, %%r1, %d;".formatted(i, i, i));
            text.append(" @%%p%d bra L%d;".formatted(i, i % 3 == 0 ? i / 2 : count));
            text.append(" add.u32 %%r%d, %%r%d, 1;%n".formatted(i + 2, i + 1));
        }
        text.append("L%d: st.global.u32 [%%rd1], %%r9;%n".formatted(count));
        Body body = body(text.toString());
        Work work = Work.of(() -> {});
        Sections sections = work.within(() -> Sections.of(body));
        assertTrue(!sections.all().isEmpty());
        assertTrue(work.done() < 1_000_000, work.done() + " steps");
    }
}
