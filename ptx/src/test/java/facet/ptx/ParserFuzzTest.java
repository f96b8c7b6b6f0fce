package facet.ptx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import facet.ptx.flow.Flatten;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Mutated texts: nothing but {@link PtxException} comes out, and what parses survives print and
 * parse.
 *
 * <p>{@code -Dfacet.seed=…} replays a run, {@code -Dfacet.fuzz.seconds=…} makes it longer. An input
 * that fails is printed; keep it in {@code src/test/resources/fuzz}.
 */
class ParserFuzzTest {
    static Stream<Path> kept() {
        return Samples.fuzz().stream();
    }

    @ParameterizedTest
    @MethodSource
    void kept(Path path) {
        check(Samples.read(path));
    }

    @Test
    void mutations() {
        long seed = Long.getLong("facet.seed", 20261117);
        int least = Integer.getInteger("facet.fuzz.runs", 20_000);
        long seconds = Long.getLong("facet.fuzz.seconds", 0);
        System.out.println("ParserFuzzTest: -Dfacet.seed=" + seed);
        List<String> corpus = corpus();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        int runs = 0;
        int parsed = 0;
        SplittableRandom seeds = new SplittableRandom(seed);
        while (runs < least || System.nanoTime() < end) {
            String input = new Mutator(seeds.split(), corpus).mutate();
            try {
                parsed += check(input) ? 1 : 0;
            } catch (Throwable failure) {
                fail("seed " + seed + ", run " + runs + ", input:\n" + input, failure);
            }
            runs++;
        }
        System.out.println("ParserFuzzTest: " + runs + " runs, " + parsed + " of them parsed");
    }

    static List<String> corpus() {
        List<String> corpus = new ArrayList<>();
        for (Path path : Samples.compiled()) {
            String text = Samples.read(path);
            if (text.length() < 12_000) {
                corpus.add(text);
            }
        }
        ParserRoundTripTest.declarations().map(Samples::module).forEach(corpus::add);
        ParserRoundTripTest.statements().map(Samples::kernel).forEach(corpus::add);
        return corpus;
    }

    /** Whether the text was accepted. */
    static boolean check(String text) {
        Module module;
        try {
            module = Parser.parse(text);
        } catch (PtxException refused) {
            return false;
        }
        assertEquals(module, Parser.parse(Printer.print(module)));
        for (Function each : module.kernels()) {
            try {
                Flatten.flatten(each);
            } catch (PtxException refused) {
                // A branch to nowhere is found only here.
            }
        }
        return true;
    }
}
