package facet.device.cpu.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.code_intelligence.jazzer.junit.FuzzTest;
import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.Device;
import facet.device.Stream;
import facet.device.cpu.CpuDevice;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Loads and launches whatever a fuzzer that follows coverage makes of the kernels that we have:
 * {@code JAZZER_FUZZ=1 mvn -pl device-cpu -am test -Dtest=LaunchGuidedFuzzTest}, for an hour. The
 * process of the test may die: that is a finding, and {@code target/last-input.ptx} has what it
 * died of. So is a neighbour's memory that has changed. Keep such inputs in {@code
 * resources/hostile/fuzz}, where {@link HostileKernelsTest} runs them again.
 */
@EnabledIfEnvironmentVariable(
        named = "JAZZER_FUZZ",
        matches = "1",
        disabledReason = "it runs for an hour, when JAZZER_FUZZ=1 is set")
class LaunchGuidedFuzzTest {
    private static final Path LAST = Path.of("target/last-input.ptx");
    private static final int MOST_CHARACTERS = 8_000;
    private static final long MOST_MILLISECONDS = 300;
    private static final byte[] PATTERN = pattern();

    private static final Device DEVICE = CpuDevice.create();
    private static final Context NEIGHBOUR =
            DEVICE.createContext(ContextOptions.of("neighbour", 1 << 20));
    private static final long PLACE = NEIGHBOUR.allocate(PATTERN.length);
    private static final Stream STREAM = NEIGHBOUR.createStream();

    static {
        STREAM.copyToDevice(PLACE, MemorySegment.ofArray(PATTERN));
        STREAM.synchronize();
    }

    private static byte[] pattern() {
        byte[] bytes = new byte[64 << 10];
        new java.util.SplittableRandom(3).nextBytes(bytes);
        return bytes;
    }

    static java.util.stream.Stream<byte[]> seeds() throws IOException {
        List<Path> found;
        try (java.util.stream.Stream<Path> files = Files.walk(Path.of("src/test/resources"))) {
            found = files.filter(each -> each.toString().endsWith(".ptx")).toList();
        }
        return found.stream()
                .map(LaunchGuidedFuzzTest::read)
                .filter(bytes -> bytes.length < MOST_CHARACTERS);
    }

    private static byte[] read(Path path) {
        try {
            return Files.readAllBytes(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @MethodSource("seeds")
    @FuzzTest(maxDuration = "60m")
    void loadAndLaunch(byte[] input) throws IOException {
        if (input.length > MOST_CHARACTERS) {
            return;
        }
        Files.write(LAST, input);
        HostileProcess.outcome(
                DEVICE, new String(input, StandardCharsets.UTF_8), MOST_MILLISECONDS);
        byte[] there = new byte[PATTERN.length];
        STREAM.copyFromDevice(MemorySegment.ofArray(there), PLACE);
        STREAM.synchronize();
        assertEquals(-1, java.util.Arrays.mismatch(PATTERN, there), "the neighbour's memory");
    }
}
