package facet.ptx;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The check of {@link ParserFuzzTest} under a fuzzer that follows coverage: {@code JAZZER_FUZZ=1
 * mvn -pl ptx test -Dtest=ParserGuidedFuzzTest}. Usual runs leave it out: its agent takes seconds
 * to load, and {@link ParserFuzzTest} replays the kept inputs.
 */
@EnabledIfEnvironmentVariable(
        named = "JAZZER_FUZZ",
        matches = "1",
        disabledReason = "it runs for an hour, when JAZZER_FUZZ=1 is set")
class ParserGuidedFuzzTest {
    static Stream<byte[]> seeds() {
        return Stream.concat(Samples.fuzz().stream(), Samples.compiled().stream())
                .map(path -> Samples.read(path).getBytes(StandardCharsets.UTF_8))
                .filter(bytes -> bytes.length < 12_000);
    }

    @MethodSource("seeds")
    @FuzzTest(maxDuration = "60s")
    void text(byte[] input) {
        ParserFuzzTest.check(new String(input, StandardCharsets.UTF_8));
    }
}
