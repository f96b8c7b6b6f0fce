package facet.host.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PtxTargetTest {
    private static void check(String target, int device) throws ImageException {
        PtxTarget.check(List.of("// made by hand\n.version 8.0\n.target " + target + "\n"), device);
    }

    @ParameterizedTest
    @CsvSource({
        "sm_52,75",
        "sm_75,75",
        "sm_75,120",
        "sm_90,90",
        "sm_90a,90",
        "sm_100f,103",
        "sm_120,120",
        "'sm_80, debug',89"
    })
    void runs(String target, int device) throws ImageException {
        check(target, device);
    }

    @ParameterizedTest
    @CsvSource({
        "sm_80,75",
        "sm_90,89",
        "sm_90a,120",
        "sm_90a,89",
        "sm_100f,120",
        "sm_103f,100",
        "sm_121,120"
    })
    void isRefused(String target, int device) {
        ImageException refusal =
                assertThrows(ImageException.class, () -> check(target, device), target);
        assertEquals(ImageException.Kind.INVALID_PTX, refusal.kind());
        assertTrue(String.valueOf(refusal.getMessage()).contains("--profile"));
    }

    @Test
    void whatHasNoneIsForTheParser() throws ImageException {
        PtxTarget.check(List.of("", ".version 8.0", "// .target sm_999"), 75);
    }
}
