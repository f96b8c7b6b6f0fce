package facet.place;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PolicyTest {
    @Test
    void allThatComeWithFacetAreRead() {
        for (String each : Policies.NAMES) {
            assertEquals(each, Policies.named(each).name());
        }
        assertThrows(IllegalArgumentException.class, () -> Policies.named("../fgd"));
    }

    @Test
    void linesAreScoresAndWhatDecidesBetweenEquals() {
        Policy policy =
                Policy.parse(
                        "mine",
                        """
                        # a comment
                        score fragmentation 1 points # another
                        score best-fit -0.25

                        nodes random
                        devices first
                        mix given
                        popularity 0.9
                        demand 0.5
                        """);
        assertEquals(
                List.of(
                        new Policy.Weighted(Scores.FRAGMENTATION, 1, true),
                        new Policy.Weighted(Scores.BEST_FIT, -0.25, false)),
                policy.scores());
        assertEquals(Policy.Tie.RANDOM, policy.nodes());
        assertEquals(Policy.Tie.FIRST, policy.devices());
        assertEquals(new Mix.Terms(0.9, 0.5), policy.terms());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "score worst-fit 1 | there is no score 'worst-fit'; there are best-fit",
                "score best-fit | a score has a name and a weight",
                "score best-fit 1e400 | '1e400' is no number",
                "score best-fit NaN | 'NaN' is no number",
                "score best-fit 1 rounded | 'rounded' is not 'points'",
                "nodes tight | 'tight' is none of first, random",
                "mix guessed | a mix is learned or given",
                "popularity 0 | popularity 0.0; it is more than 0",
                "demand 5 | demand 5.0; it is 0 to 4",
                "devices first last | 'last' is one word too many",
                "weight 3 | 'weight' is none of score",
            })
    void saysWhatIsWrong(String line, String message) {
        Policy.PolicyException thrown =
                assertThrows(Policy.PolicyException.class, () -> Policy.parse("mine", line));
        assertTrue(String.valueOf(thrown.getMessage()).contains(message), thrown.getMessage());
    }
}
