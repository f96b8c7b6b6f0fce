package facet.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.ptx.Module;
import facet.ptx.Parser;
import facet.ptx.Verifier;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the measurements run on is what they say. */
final class GeneratedInputsTest {
    @Test
    void aSyntheticKernelIsValidAndHasItsLength() {
        for (int seed = 0; seed < 50; seed++) {
            String ptx = SyntheticPtx.of(seed, 1_000);
            Verifier.verify(Parser.parse(ptx));
            long instructions = ptx.lines().filter(line -> line.startsWith("\t")).count();
            assertEquals(1_000, instructions, "seed " + seed);
        }
        assertNotEquals(SyntheticPtx.of(1, 1_000), SyntheticPtx.of(2, 1_000));
    }

    @Test
    void theStateOfTheLongLoopIsThatOfItsSteps() {
        int state = 7;
        for (int steps = 0; steps < 1_000; steps++) {
            assertEquals(state, LongLoop.after(7, steps));
            state = state * 1664525 + 1013904223;
        }
    }

    @Test
    void theCorpusIsOneModule() throws Exception {
        List<String> texts = PtxCorpus.texts();
        int kernels = 0;
        int characters = 0;
        for (String text : texts) {
            kernels += Parser.parse(text).kernels().size();
            characters += text.length();
        }
        // Copies are longer than the texts by their names, but not by half.
        Module module = Parser.parse(PtxCorpus.concatenate(texts, 3 * characters));
        Verifier.verify(module);
        int found = module.kernels().size();
        assertTrue(found >= 2 * kernels, found + " kernels of texts with " + kernels);
    }
}
