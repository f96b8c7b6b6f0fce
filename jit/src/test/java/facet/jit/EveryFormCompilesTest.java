package facet.jit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.ptx.Form;
import facet.ptx.FormExamples;
import facet.ptx.InstructionTable;
import facet.ptx.Module;
import facet.ptx.Parser;
import facet.ptx.Verifier;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What the instruction table accepts becomes a class that the JVM accepts: what loads, runs. */
final class EveryFormCompilesTest {
    private static final String CALLER =
            """
            .visible .entry caller(.param .align 16 .b8 kp[64])
            { .param .align 16 .b8 given[64]; call k, (given); ret; }
            """;

    private static void compile(String text) {
        Module module = Parser.parse(text);
        Verifier.verify(module);
        new Compiler(module).compile(module.kernels().getFirst());
    }

    private static List<String> examples() {
        List<String> examples = new ArrayList<>();
        for (Form form : InstructionTable.forms()) {
            for (String text : FormExamples.of(form)) {
                // .v8 goes with .b32 only.
                if (!text.matches("(ld|st).*\\.v8\\.b8 .*")) {
                    examples.add(text);
                }
            }
        }
        return examples;
    }

    private static void check(UnaryOperator<String> module, Predicate<String> wanted) {
        List<String> refused = new ArrayList<>();
        int count = 0;
        for (String text : examples()) {
            if (!wanted.test(text)) {
                continue;
            }
            count++;
            try {
                compile(module.apply(text));
            } catch (RuntimeException | LinkageError e) {
                refused.add(text + "\t" + e);
            }
        }
        assertEquals("", String.join("\n", refused));
        assertTrue(count > 2000, "only " + count);
    }

    @Test
    void inKernels() {
        check(FormExamples::kernel, text -> true);
    }

    @Test
    void underAGuard() {
        check(text -> FormExamples.kernel("@%p0 " + text), text -> true);
    }

    @Test
    void inFunctions() {
        check(
                text -> FormExamples.kernel(text).replace(".visible .entry k", ".func k") + CALLER,
                text -> !text.contains("param::entry"));
    }
}
