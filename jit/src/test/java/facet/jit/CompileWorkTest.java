package facet.jit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.ptx.Limits;
import facet.ptx.Module;
import facet.ptx.Parser;
import facet.ptx.PtxException;
import facet.ptx.Verifier;
import facet.ptx.Work;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What compiling costs: in proportion to the text, bounded, and given up when nobody wants it. */
@Timeout(120)
final class CompileWorkTest {
    private static final class GivenUp extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private static Compiler load(String text) {
        Module module = Parser.parse(text);
        Verifier.verify(module);
        Compiler compiler = new Compiler(module);
        module.kernels().forEach(compiler::summary);
        return compiler;
    }

    private static CompiledKernel compile(String text) {
        Module module = Parser.parse(text);
        Verifier.verify(module);
        Compiler compiler = new Compiler(module);
        module.kernels().forEach(compiler::summary);
        return compiler.compile(module.kernels().getFirst());
    }

    private static long steps(String text) {
        Work work = Work.of(() -> {});
        work.within(() -> compile(text));
        return work.done();
    }

    @ParameterizedTest
    @EnumSource
    void twiceTheTextIsAboutTwiceTheWork(HostileText hostile) {
        long once = steps(hostile.of(hostile.size));
        long twice = steps(hostile.of(2 * hostile.size));
        assertTrue(twice < 3 * once, once + " steps, for twice the text " + twice);
    }

    /** The passes ask often enough that none goes on for long without. */
    @ParameterizedTest
    @EnumSource
    void isGivenUpAtAnyTime(HostileText hostile) {
        String text = hostile.of(hostile.size);
        AtomicInteger all = new AtomicInteger();
        Work.of(all::incrementAndGet).within(() -> compile(text));
        assertTrue(all.get() > 1, "asked " + all + " times");
        for (int part = 0; part < 4; part++) {
            int after = all.get() * part / 4;
            AtomicInteger asked = new AtomicInteger();
            Work work =
                    Work.of(() -> {
                        if (asked.getAndIncrement() == after) {
                            throw new GivenUp();
                        }
                    });
            assertThrows(GivenUp.class, () -> work.within(() -> compile(text)));
            assertEquals(after + 1, asked.get(), "nothing was done behind the end");
        }
    }

    @Test
    void tooMuchWorkIsRefused() {
        Work work = new Work(50_000, () -> {});
        String text = HostileText.LABELS.of(10_000);
        PtxException e = assertThrows(PtxException.class, () -> work.within(() -> load(text)));
        assertTrue(e.getMessage().contains("steps"), e.getMessage());
    }

    /** Each function has the one before twice, and threads meet in the first: 2^40 copies. */
    @Test
    void aTreeOfInlinedCallsIsRefused() {
        StringBuilder text = new StringBuilder(HostileText.HEAD);
        text.append(".func f0() { bar.sync 0; ret; }\n");
        for (int i = 1; i < 40; i++) {
            text.append(
                    ".func f%1$d() { call.uni f%2$d; call.uni f%2$d; ret; }%n".formatted(i, i - 1));
        }
        text.append(".visible .entry k() { call.uni f39; ret; }\n");
        PtxException e = assertThrows(PtxException.class, () -> load(text.toString()));
        assertTrue(e.getMessage().contains("" + Limits.INLINED_CALLS), e.getMessage());
    }

    @Test
    void registersThatNobodyUsesAreRefused() {
        StringBuilder text = new StringBuilder(HostileText.HEAD);
        for (int i = 0; i < 2_000; i++) {
            text.append(".func f%d() { .reg .b32 %%r<1000>; ret; }%n".formatted(i));
        }
        PtxException e = assertThrows(PtxException.class, () -> load(text.toString()));
        assertTrue(e.getMessage().contains("registers in a text so short"), e.getMessage());
    }

    @Test
    void branchesByLongListsAreRefused() {
        int n = 800;
        StringBuilder text = new StringBuilder(HostileText.HEAD);
        text.append(".visible .entry k()\n{ .reg .b32 %r; T: .branchtargets L0");
        for (int i = 1; i < n; i++) {
            text.append(", L").append(i);
        }
        text.append(";\n");
        for (int i = 0; i < n; i++) {
            text.append("L%d: brx.idx %%r, T;%n".formatted(i));
        }
        text.append("ret; }\n");
        PtxException e = assertThrows(PtxException.class, () -> load(text.toString()));
        assertTrue(e.getMessage().contains("targets of branches"), e.getMessage());
    }

    @Test
    void longNamesAreRefused() {
        String text = HostileText.HEAD + ".global .u32 " + "x".repeat(Limits.NAME + 1) + ";";
        PtxException e = assertThrows(PtxException.class, () -> load(text));
        assertTrue(e.getMessage().contains("characters in a name"), e.getMessage());
    }
}
