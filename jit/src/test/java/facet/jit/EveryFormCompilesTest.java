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
import org.junit.jupiter.api.Test;

/** What the instruction table accepts becomes a class that the JVM accepts: what loads, runs. */
final class EveryFormCompilesTest {
    private static void compile(String body) {
        Module module = Parser.parse(FormExamples.kernel(body));
        Verifier.verify(module);
        new Compiler(module).compile(module.kernels().getFirst());
    }

    @Test
    void everyExampleOfTheTableCompiles() {
        List<String> refused = new ArrayList<>();
        int count = 0;
        for (Form form : InstructionTable.forms()) {
            for (String text : FormExamples.of(form)) {
                // .v8 goes with .b32 only.
                if (text.matches("(ld|st).*\\.v8\\.b8 .*")) {
                    continue;
                }
                count++;
                try {
                    compile(text);
                } catch (RuntimeException | LinkageError e) {
                    refused.add(text + "\t" + e);
                }
            }
        }
        assertEquals("", String.join("\n", refused));
        assertTrue(count > 2000, "only " + count);
    }
}
