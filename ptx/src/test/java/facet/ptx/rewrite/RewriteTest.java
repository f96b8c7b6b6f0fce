package facet.ptx.rewrite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.ptx.Function;
import facet.ptx.Limits;
import facet.ptx.Module;
import facet.ptx.PtxException;
import facet.ptx.Work;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class RewriteTest {
    private static final String FUNCTIONS =
            Texts.HEAD
                    + """
                    .func (.param .b32 r) block(.param .b32 a)
                    {
                        .reg .b32 %r;
                        mov.u32 %r, %ctaid.y;
                        st.param.b32 [r], %r;
                        ret;
                    }
                    .func (.param .b32 r) other(.param .b32 a)
                    {
                        .reg .b32 %r;
                        mov.u32 %r, %nctaid.z;
                        st.param.b32 [r], %r;
                        ret;
                    }
                    .func unconcerned() { ret; }
                    .global .align 8 .u64 table[2] = {block, other};
                    .visible .entry k(.param .u64 p)
                    {
                        .reg .b32 %r<3>;
                        .reg .b64 %f;
                        .param .b32 answer, argument;
                        ld.global.u64 %f, [table];
                        st.param.b32 [argument], 1;
                        call (answer), %f, (argument), proto;
                        ld.param.b32 %r1, [answer];
                        call unconcerned;
                        ret;
                    proto: .callprototype (.param .b32 _) _ (.param .b32 _);
                    }
                    .visible .entry whole() { .reg .u32 %r; mov.u32 %r, %smid;
                        .param .b32 answer, argument;
                        st.param.b32 [argument], 1;
                        call (answer), block, (argument);
                        ret; }
                    """;

    private static Function function(Module module, String name) {
        return module.function(name).orElseThrow();
    }

    /** Whoever launches parts does so without the attribute that these speak of. */
    @ParameterizedTest
    @EnumSource
    void launchesThatMayOverlapArePartedToo(BlockForm form) {
        Rewritten rewritten =
                Rewrite.rewrite(
                        Texts.kernel("griddepcontrol.wait; griddepcontrol.launch_dependents; ret;"),
                        form);
        Texts.verified(rewritten);
        assertEquals(List.of(), rewritten.refusals());
        assertTrue(rewritten.text().contains("griddepcontrol.wait;"), rewritten.text());
        assertTrue(rewritten.text().contains("griddepcontrol.launch_dependents;"));
    }

    @ParameterizedTest
    @EnumSource
    void whatIsCalledThroughPointersIsGivenTheSame(BlockForm form) {
        Rewritten rewritten = Rewrite.rewrite(FUNCTIONS, form);
        Module module = Texts.verified(rewritten);
        assertEquals(3, function(module, "block").parameters().size(), "ctaid.y and nctaid.z");
        assertEquals(
                function(module, "block").parameters().stream().map(each -> each.type()).toList(),
                function(module, "other").parameters().stream().map(each -> each.type()).toList());
        assertEquals(0, function(module, "unconcerned").parameters().size());
        assertEquals(2, function(module, "k").parameters().size());
        assertEquals(0, function(module, "whole").parameters().size(), "it runs whole");
        assertEquals("whole", rewritten.refusals().getFirst().kernel());
    }

    @Test
    void hiddenParameterIsTheLast() {
        String text =
                Texts.HEAD
                        + ".visible .entry a(.param .b32 x, .param .align 4 .b8 y[5]) { ret; }\n"
                        + ".visible .entry b() { ret; }\n";
        Rewritten rewritten = Rewrite.rewrite(text, BlockForm.RANGES);
        assertEquals(
                List.of(
                        new Rewritten.Kernel("a", BlockForm.RANGES, 16, HiddenArguments.BYTES),
                        new Rewritten.Kernel("b", BlockForm.RANGES, 0, HiddenArguments.BYTES)),
                rewritten.kernels());
    }

    @Test
    void othersStayAsTheyAre() {
        String text = Texts.HEAD + ".visible .entry a() { ret; }\n.visible .entry b() { ret; }\n";
        Rewritten rewritten = Rewrite.rewrite(text, BlockForm.PERSISTENT, "b"::equals);
        assertEquals(1, rewritten.kernels().size());
        assertEquals(List.of(), rewritten.refusals());
        Module module = Texts.verified(rewritten);
        assertEquals(0, function(module, "a").parameters().size());
        assertTrue(rewritten.kernel("a").isEmpty());
        assertTrue(rewritten.kernel("b").isPresent());
    }

    /** Names that a program has, spelled or as a range of registers, are not used. */
    @ParameterizedTest
    @EnumSource
    void namesDoNotCollide(BlockForm form) {
        String text =
                Texts.kernel(
                        ".reg .b32 %facet<20>, %facet0_word, facet1_hidden, %facet2_;"
                                + " mov.u32 %facet3, %ctaid.x; $facet0_next: bra $facet0_next;");
        Rewritten rewritten = Rewrite.rewrite(text, form);
        Texts.verified(rewritten);
        assertTrue(rewritten.text().contains("facet3_hidden"), rewritten.text());
        assertFalse(rewritten.text().contains("facet0_hidden"));
    }

    @Test
    void wholeVectorsAndOtherSizes() {
        String text =
                Texts.kernel(
                        "mov.v4.u32 {%r1, %r2, %r3, %r4}, %ctaid; mov.u16 %h1, %ctaid.z;"
                                + " cvt.u64.u32 %l1, %nctaid.x; mov.u32 %r5, %ctaid.w; ret;");
        Rewritten rewritten = Rewrite.rewrite(text, BlockForm.RANGES);
        assertEquals(List.of(), rewritten.refusals());
        assertTrue(rewritten.text().contains("mov.u32 %r4, 0;"), rewritten.text());
        assertTrue(rewritten.text().contains("cvt.u16.u32 %h1, %facet0_ctaid_z;"));
    }

    @Test
    void onlyExitsInFunctionsTakeMemory() {
        String plain = Texts.HEAD + ".func f() { ret; } .visible .entry k() { call f; exit; }\n";
        assertFalse(Rewrite.rewrite(plain, BlockForm.PERSISTENT).text().contains(".local"));
        String exits = plain.replace("f() { ret", "f() { exit");
        Rewritten rewritten = Rewrite.rewrite(exits, BlockForm.PERSISTENT);
        assertTrue(rewritten.text().contains(".local"));
        assertFalse(rewritten.text().contains("exit"), rewritten.text());
        assertTrue(Rewrite.rewrite(exits, BlockForm.RANGES).text().contains("exit"));
    }

    /** What is no PTX is refused with its place, as by everything else that reads it. */
    @Test
    void wrongTextIsRefused() {
        assertThrows(PtxException.class, () -> Rewrite.rewrite("hello", BlockForm.RANGES));
        assertThrows(
                PtxException.class,
                () ->
                        Rewrite.rewrite(
                                Texts.kernel("bra nowhere; bar.sync 0;"), BlockForm.PERSISTENT));
    }

    /** A hostile text does not make it work for long: chains, pointers, names, barriers. */
    @ParameterizedTest
    @EnumSource
    void twiceTheTextIsAboutTwiceTheWork(BlockForm form) {
        long once = steps(hostile(2_000), form);
        long twice = steps(hostile(4_000), form);
        assertTrue(twice < 2.5 * once, once + " steps, for twice the text " + twice);
        assertTrue(twice < Limits.STEPS);
    }

    private static long steps(String text, BlockForm form) {
        Work work = Work.of(() -> {});
        Rewritten rewritten = work.within(() -> Rewrite.rewrite(text, form));
        assertFalse(rewritten.kernels().isEmpty());
        return work.done();
    }

    private static String hostile(int size) {
        StringBuilder text = new StringBuilder(Texts.HEAD);
        for (int i = 0; i < size; i++) {
            text.append(".func f%d();\n".formatted(i));
        }
        for (int i = 0; i < size; i++) {
            String call = i > 0 ? "call f" + (i - 1) + ";" : "mov.u32 %r, %ctaid.x; exit;";
            text.append(
                    ".func f%d() { .reg .u32 %%r, %%facet%d_; %s ret; }\n".formatted(i, i, call));
            text.append(".global .u64 g%d = f%d;\n".formatted(i, i));
            text.append(
                    """
                    .visible .entry k%d() { .reg .u64 %%f; .reg .pred %%p; @%%p ret; bar.sync 0;
                    call %%f, (), proto; call f%d; proto: .callprototype _ (); }
                    """
                            .formatted(i, i));
        }
        return text.toString();
    }
}
