package facet.ptx;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import facet.ptx.rewrite.BlockForm;
import facet.ptx.rewrite.Rewrite;
import facet.ptx.rewrite.Rewritten;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Mutated texts are rewritten: nothing but {@link PtxException} comes out, what is rewritten
 * parses, and is right where the text was. {@code -Dfacet.seed=…} replays a run.
 */
final class RewriteFuzzTest {
    private static final int RUNS = 4_000;

    @Test
    void mutations() {
        long seed = Long.getLong("facet.seed", 20261118);
        List<String> corpus = ParserFuzzTest.corpus();
        SplittableRandom seeds = new SplittableRandom(seed);
        int rewritten = 0;
        for (int run = 0; run < RUNS; run++) {
            String input = new Mutator(seeds.split(), corpus).mutate();
            try {
                for (BlockForm form : BlockForm.values()) {
                    rewritten += check(input, form) ? 1 : 0;
                }
            } catch (RuntimeException | Error failure) {
                fail("seed " + seed + ", run " + run + ", input:\n" + input, failure);
            }
        }
        assertTrue(rewritten > RUNS / 20, "only " + rewritten + " were rewritten");
    }

    /** Whether it was rewritten. */
    private static boolean check(String text, BlockForm form) {
        Rewritten rewritten;
        try {
            rewritten = Rewrite.rewrite(text, form);
        } catch (PtxException refused) {
            return false;
        }
        Module after = Parser.parse(rewritten.text());
        if (rewritten.kernels().isEmpty()) {
            return false;
        }
        if (isRight(Parser.parse(text))) {
            Verifier.verify(after);
        }
        return true;
    }

    private static boolean isRight(Module module) {
        try {
            Verifier.verify(module);
            return true;
        } catch (PtxException wrong) {
            return false;
        }
    }
}
