package facet.ptx.rewrite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.ptx.Function;
import facet.ptx.Module;
import facet.ptx.Parser;
import facet.ptx.Verifier;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DoubledTest {
    private static final String SUM = "mov.u32 %r0, %ctaid.x;\nst.global.u32 [%l0], %r0;\nret;";

    private static Module verified(Doubled doubled) {
        Module module = Parser.parse(doubled.text());
        Verifier.verify(module);
        return module;
    }

    private static Function kernel(Module module, String name) {
        return module.kernels().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void kernelsAreThereAsTheyWereAndInRanges() {
        String text = Texts.kernel(SUM);
        Doubled doubled = Doubled.of(text);
        assertEquals(List.of(), doubled.refusals());
        Doubled.Twin twin = doubled.twins().getFirst();
        assertEquals("k", twin.kernel());
        assertEquals(1, twin.parameters());
        assertEquals(8, twin.offset());
        Module module = verified(doubled);
        assertEquals(2, module.kernels().size());
        assertEquals(
                kernel(Parser.parse(text), "k").parameters().size(),
                kernel(module, "k").parameters().size());
        assertEquals(2, kernel(module, twin.name()).parameters().size());
    }

    /** Its body may be reached by both forms, which hand down where they are. */
    @Test
    void functionsServeBoth() {
        Doubled doubled =
                Doubled.of(
                        Texts.HEAD
                                + """
                                .func (.param .b32 r) block(.param .b32 a)
                                {
                                    .reg .b32 %r;
                                    mov.u32 %r, %ctaid.y;
                                    st.param.b32 [r], %r;
                                    ret;
                                }
                                .visible .entry k(.param .u64 p)
                                {
                                    .reg .b32 %r<3>;
                                    .param .b32 a;
                                    .param .b32 b;
                                    mov.b32 %r1, 1;
                                    st.param.b32 [a], %r1;
                                    call (b), block, (a);
                                    ret;
                                }
                                """);
        assertEquals(1, doubled.twins().size());
        Module module = verified(doubled);
        assertEquals(1, kernel(module, "k").parameters().size());
    }

    @Test
    void whatCannotBeIsThereOnce() {
        String text = Texts.kernel("mov.u32 %r0, %smid;\nst.global.u32 [%l0], %r0;\nret;");
        Doubled doubled = Doubled.of(text);
        assertEquals(text, doubled.text());
        assertEquals(List.of(), doubled.twins());
        assertTrue(doubled.refusals().getFirst().cause().contains("%smid"));
    }

    /** Else each of the two would count in its own. */
    @Test
    void variablesInBodiesAreNotDoubled() {
        Doubled doubled = Doubled.of(Texts.kernel("{ .global .u32 counter;\n" + SUM + " }"));
        assertEquals(List.of(), doubled.twins());
        assertTrue(doubled.refusals().getFirst().cause().contains("variable of its own"));
    }

    @Test
    void namesAreNobodyElses() {
        Doubled doubled =
                Doubled.of(Texts.kernel(SUM).replace("entry k(", "entry facet0_ranges_0("));
        assertEquals("facet0_ranges_0", doubled.twins().getFirst().kernel());
        assertEquals("facet1_ranges_0", doubled.twins().getFirst().name());
    }
}
