package facet.ptx.rewrite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every reason for which a kernel stays whole, with its place. */
final class RefusalTest {
    private static final String LAUNCHER =
            ".extern .func (.param .b32 r) cudaLaunchDeviceV2(.param .b64 a, .param .b64 b);\n";

    private static Refusal refusal(String text, BlockForm form) {
        Rewritten rewritten = Rewrite.rewrite(text, form);
        assertEquals(text, rewritten.text(), "nothing is changed");
        assertEquals(List.of(), rewritten.kernels());
        return rewritten.refusals().getFirst();
    }

    static Stream<Arguments> inBothForms() {
        return Stream.of(
                Arguments.of("mov.u64 %l1, %gridid;", "reads %gridid"),
                Arguments.of("mov.u32 %r1, %smid;", "reads %smid"),
                Arguments.of("mov.u32 %r1, %nsmid;", "reads %nsmid"),
                Arguments.of("mov.u32 %r1, %envreg2;", "reads %envreg2"),
                Arguments.of("mov.u32 %r1, %clusterid.x;", "reads %clusterid.x"),
                Arguments.of("mov.u32 %r1, %cluster_nctarank;", "reads %cluster_nctarank"),
                Arguments.of("mov.pred %p1, %is_explicit_cluster;", "reads %is_explicit_cluster"),
                Arguments.of("mov.u64 %l1, %current_graph_exec;", "reads %current_graph_exec"),
                Arguments.of("barrier.cluster.arrive;", "barrier.cluster.arrive is about clusters"),
                Arguments.of("mapa.u64 %l1, %l2, 1;", "mapa.u64 is about clusters"),
                Arguments.of("getctarank.u64 %r1, %l1;", "getctarank.u64 is about clusters"),
                Arguments.of("add.u32 %r1, %ctaid.x, 1;", "reads %ctaid.x with add.u32"));
    }

    @ParameterizedTest
    @MethodSource
    void inBothForms(String statement, String cause) {
        for (BlockForm form : BlockForm.values()) {
            Refusal refusal = refusal(Texts.kernel(statement + " ret;"), form);
            assertTrue(refusal.cause().startsWith(cause), refusal.cause());
            assertEquals("k", refusal.kernel());
            assertEquals(5, refusal.position().line());
            assertEquals(1, refusal.position().column());
        }
    }

    static Stream<Arguments> persistentAlone() {
        return Stream.of(
                Arguments.of("mbarrier.init.shared.b64 [s], 1;", "mbarrier.init.shared.b64 leaves"),
                Arguments.of(
                        "cp.async.bulk.global.shared::cta.bulk_group [%l1], [s], 16;",
                        "cp.async.bulk"),
                Arguments.of("alloca.u64 %l1, 16;", "alloca in a kernel"),
                Arguments.of("setmaxnreg.dec.sync.aligned.u32 64;", "setmaxnreg.dec"),
                Arguments.of("bar.arrive 1, 64;", "bar.arrive does not wait"),
                Arguments.of("bar.sync %r1, 64;", "bar.sync has its number in a register"));
    }

    @ParameterizedTest
    @MethodSource
    void persistentAlone(String statement, String cause) {
        String text = Texts.kernel(statement + " ret;");
        Refusal refusal = refusal(text, BlockForm.PERSISTENT);
        assertTrue(refusal.cause().startsWith(cause), refusal.cause());
        assertEquals(5, refusal.position().line());
        assertEquals(List.of(), Rewrite.rewrite(text, BlockForm.RANGES).refusals());
    }

    static Stream<Arguments> barriers() {
        String all = "";
        for (int i = 0; i < 16; i++) {
            all += "bar.sync " + i + ", 64; ";
        }
        return Stream.of(
                Arguments.of(all, "all 16 barrier numbers are in use"),
                Arguments.of("bar.sync 1, 64; bar.sync 1;", "bar.sync waits for all threads at"),
                Arguments.of("bar.sync 1, 64; bar.sync %r1;", "bar.sync waits for all threads at"),
                Arguments.of(
                        "@%p1 ret; shfl.sync.idx.b32 %r1, %r2, 0, 31, -1;",
                        "a thread may end before others of its warp"),
                Arguments.of(
                        "loop: vote.sync.ballot.b32 %r1, %p1, -1; @%p2 bra loop;",
                        "a thread may end before others of its warp"));
    }

    @ParameterizedTest
    @MethodSource
    void barriers(String statements, String cause) {
        String text = Texts.kernel(statements + " ret;");
        Refusal refusal = refusal(text, BlockForm.PERSISTENT);
        assertTrue(refusal.cause().startsWith(cause), refusal.cause());
        assertEquals(List.of(), Rewrite.rewrite(text, BlockForm.RANGES).refusals());
    }

    @Test
    void oldTargetsCannotWaitApart() {
        String text = Texts.kernel("@%p1 ret; bar.sync 0; ret;");
        assertEquals(
                List.of(), Rewrite.rewrite(text, BlockForm.PERSISTENT).refusals(), "on newer ones");
        Refusal refusal = refusal(text.replace("sm_90", "sm_61"), BlockForm.PERSISTENT);
        assertTrue(refusal.cause().contains("takes .target sm_70"), refusal.cause());
    }

    @Test
    void textsOfTheFirstDevices() {
        String text = ".version 1.4\n.target sm_10\n.entry k () { exit; }\n";
        for (BlockForm form : BlockForm.values()) {
            Refusal refusal = refusal(text, form);
            assertTrue(refusal.cause().startsWith("the text is for the first devices"));
            assertEquals(3, refusal.position().line());
        }
    }

    static Stream<Arguments> modules() {
        return Stream.of(
                Arguments.of(
                        ".visible .entry k() .reqnctapercluster 2, 1, 1 { ret; }",
                        ".reqnctapercluster makes its blocks clusters"),
                Arguments.of(
                        ".visible .entry k() .explicitcluster .maxclusterrank 4 { ret; }",
                        ".explicitcluster makes its blocks clusters"),
                Arguments.of(
                        LAUNCHER
                                + ".visible .entry k() { .param .b32 r; .param .b64 a, b;"
                                + " call (r), cudaLaunchDeviceV2, (a, b); ret; }",
                        "calls cudaLaunchDeviceV2 of the device runtime"),
                Arguments.of(
                        ".extern .func cudaCGSynchronizeGrid();\n"
                                + ".visible .entry k() { call cudaCGSynchronizeGrid; ret; }",
                        "calls cudaCGSynchronizeGrid: for grid synchronisation"),
                Arguments.of(
                        ".extern .func other();\n.visible .entry k() { call other; ret; }",
                        "calls other, which this text does not define"),
                Arguments.of(
                        ".visible .entry k() { ret; }\n.global .u64 pointer = k;",
                        "its address is taken"),
                Arguments.of(
                        ".visible .entry k(.param .align 8 .b8 p[32760]) { ret; }",
                        "with one more its parameters"),
                Arguments.of(
                        """
                        .extern .func other();
                        .global .u64 table[2] = {other, f};
                        .func f() { .reg .u32 %r; mov.u32 %r, %ctaid.x; ret; }
                        .visible .entry k() { .reg .u64 %f; call %f, (), proto; ret;
                        proto: .callprototype _ (); }
                        """,
                        "the address of other is taken"),
                Arguments.of(
                        """
                        .func f(.reg .u32 %a) { .reg .u32 %r; mov.u32 %r, %ctaid.x; ret; }
                        .global .u64 table = f;
                        .visible .entry k() { ret; }
                        """,
                        "the address of f is taken, whose parameters are registers"));
    }

    @ParameterizedTest
    @MethodSource
    void modules(String declarations, String cause) {
        Refusal refusal = refusal(Texts.HEAD + declarations + "\n", BlockForm.RANGES);
        assertTrue(refusal.cause().startsWith(cause), refusal.cause());
        assertTrue(refusal.position().line() >= 4, refusal.text());
    }

    /** Of what it calls, however far away, also through pointers. */
    @Test
    void causesAreFoundInFunctions() {
        String text =
                Texts.HEAD
                        + """
                        .func deep() { .reg .u32 %r; mov.u32 %r, %smid; ret; }
                        .func middle() { call deep; ret; }
                        .global .u64 table = middle;
                        .visible .entry k() {
                            .reg .u64 %f;
                            ld.global.u64 %f, [table];
                            call %f, (), proto;
                            ret;
                        proto: .callprototype _ ();
                        }
                        .visible .entry free() { ret; }
                        """;
        Rewritten rewritten = Rewrite.rewrite(text, BlockForm.RANGES);
        assertEquals("free", rewritten.kernels().getFirst().name());
        Refusal refusal = rewritten.refusals().getFirst();
        assertEquals("k", refusal.kernel());
        assertEquals(4, refusal.position().line());
        assertTrue(refusal.text().startsWith("k is not rewritten: line 4, column"));
    }

    @Test
    void unevenBarriersOfFunctionsNeedCleanNumbers() {
        String function = ".func f() { bar.sync 0; ret; }\n";
        String other = ".visible .entry o() { .reg .u32 %r; bar.sync %r, 32; ret; }\n";
        String kernel = ".visible .entry k() { call f; ret; }\n";
        Rewritten alone = Rewrite.rewrite(Texts.HEAD + function + kernel, BlockForm.PERSISTENT);
        assertEquals(1, alone.kernels().size());
        Refusal refusal = refusal(Texts.HEAD + function + other + kernel, BlockForm.PERSISTENT);
        assertEquals("o", refusal.kernel());
        assertEquals(
                2,
                Rewrite.rewrite(Texts.HEAD + function + other + kernel, BlockForm.PERSISTENT)
                        .refusals()
                        .size());
    }
}
