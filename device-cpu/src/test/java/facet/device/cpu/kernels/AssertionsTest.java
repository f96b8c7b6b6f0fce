package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.DeviceException;
import facet.device.Launch;
import facet.device.Launch.Dim;
import facet.device.LoadedModule;
import facet.device.Stream;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each thread that fails an assert says so; the launch does not go on for ever. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class AssertionsTest {
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Context context =
            KernelRunner.device()
                    .createContext(ContextOptions.of("asserts", 64L << 20).withFaults(lines::add));
    private final LoadedModule module = context.load(KernelRunner.ptx("assertions"));
    private final Stream stream = context.createStream();

    @AfterEach
    void close() {
        context.close();
    }

    /** Launches what must fail; gives what the threads say. */
    private List<String> fails(String kernel, int grid, int block, Object... arguments) {
        stream.launch(Launch.of(module.kernel(kernel), Dim.of(grid), Dim.of(block), arguments));
        DeviceException thrown = assertThrows(DeviceException.class, stream::synchronize);
        assertEquals(710, thrown.error().code(), thrown.getMessage());
        assertEquals(1, lines.size(), () -> "one line for the operator: " + lines);
        return context.fault().orElseThrow().assertions();
    }

    /** Which threads of a one-dimensional launch said it. */
    private static Set<String> threads(List<String> said) {
        Set<String> found =
                said.stream()
                        .map(each ->
                                each.replaceAll(
                                        "(?s).*block: \\[(\\d+),0,0\\], thread: \\[(\\d+),0,0\\].*",
                                        "$1/$2"))
                        .collect(Collectors.toCollection(HashSet::new));
        assertEquals(said.size(), found.size(), () -> "each of them once: " + said);
        return found;
    }

    @Test
    void everyThreadSaysIt() {
        List<String> said = fails("below", 3, 32, 60);
        Set<String> expected = new HashSet<>();
        IntStream.range(60, 96).forEach(i -> expected.add(i / 32 + "/" + i % 32));
        assertEquals(expected, threads(said));
        assertTrue(said.getFirst().endsWith("Assertion `i < most` failed."), said.getFirst());
        assertTrue(lines.getFirst().endsWith("; so in 35 more threads"), lines.getFirst());
    }

    @Test
    void oneThreadIsNamed() {
        assertEquals(Set.of("2/31"), threads(fails("below", 3, 32, 95)));
        assertTrue(lines.getFirst().contains("block (2,0,0), thread (31,0,0)"), lines.getFirst());
    }

    @Test
    void othersGoOnBehindABarrier() {
        List<String> said = fails("around_barrier", 1, 64, context.allocate(256));
        Set<String> expected = new HashSet<>();
        for (int t = 0; t < 64; t++) {
            if (t % 8 == 3 || t % 8 == 2) {
                expected.add("0/" + t);
            }
        }
        assertEquals(expected, threads(said));
    }

    @Test
    void insideOfAFunction() {
        List<String> said = fails("in_function", 2, 10, context.allocate(64));
        Set<String> expected = new HashSet<>();
        for (int i = 1; i < 10; i += 2) {
            expected.add("0/" + i);
            expected.add("1/" + i);
        }
        assertEquals(expected, threads(said));
        assertTrue(said.getFirst().contains("half_of(int)"), said.getFirst());
    }

    @Test
    void whoWaitsForOneThatFailedIsEnded() {
        long flag = context.allocate(4);
        stream.fill(flag, 0, 4, 1L);
        assertEquals(Set.of("0/0"), threads(fails("waited_for", 4, 64, flag)));
    }

    @Test
    void whatComputesForEverIsEnded() {
        assertEquals(Set.of("0/0"), threads(fails("endless", 1, 32, context.allocate(128))));
    }

    @Test
    void theTextIsBounded() {
        List<String> said = fails("below", 4096, 256, 0);
        int characters = said.stream().mapToInt(String::length).sum();
        assertTrue(characters <= 1 << 18, "characters: " + characters);
        assertTrue(said.size() > 1000, "lines: " + said.size());
        threads(said);
    }
}
