package facet.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

final class PromisesTest {
    @Test
    void whatWasMissedIsNamed() {
        Table calls = new Table("calls", "what calls cost");
        Figure.atMost(calls, "launch", 0.5, 1, " us");
        Figure.atMost(calls, "wait", 3, 2, " us");
        Figure.atLeast(calls, "copy", Double.NaN, 0.8, "");
        Table kernels = new Table("kernels", "how fast they are");
        kernels.note("PoCL is missing");
        kernels.fail("saxpy: a wrong result");
        assertEquals(
                """
                1 promises hold, 2 do not
                  no longer: calls: wait: 3.00 us, promised is at most 2.00 us
                  no longer: calls: copy: NaN, promised is at least 0.800
                  no longer: kernels: saxpy: a wrong result
                  left out: kernels: PoCL is missing
                """,
                Promises.text(List.of(calls, kernels)));
    }
}
