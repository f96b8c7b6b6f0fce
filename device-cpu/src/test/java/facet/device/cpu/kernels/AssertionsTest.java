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
        return fails(module, kernel, grid, block, arguments);
    }

    private List<String> fails(
            LoadedModule in, String kernel, int grid, int block, Object... arguments) {
        stream.launch(Launch.of(in.kernel(kernel), Dim.of(grid), Dim.of(block), arguments));
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

    /** One that may launch others has its asserts like all. */
    @Test
    void inAKernelThatAsksTheDeviceRuntime() {
        LoadedModule asking =
                context.load(
                        """
                        .version 9.0
                        .target sm_75
                        .address_size 64
                        .extern .func __assertfail(.param .b64 message, .param .b64 file, .param .b32 line,
                                .param .b64 function, .param .b64 size);
                        .extern .func (.param .b32 error) cudaDeviceGetLimit(.param .b64 value, .param .b32 limit);
                        .global .align 1 .b8 text[2] = {120, 0};
                        .visible .entry k()
                        {
                            .local .align 8 .b8 value[8];
                            .reg .u64 %a;
                            cvta.local.u64 %a, value;
                            {
                                .param .b64 v;
                                .param .b32 l;
                                .param .b32 e;
                                st.param.b64 [v], %a;
                                st.param.b32 [l], 0;
                                call.uni (e), cudaDeviceGetLimit, (v, l);
                            }
                            cvta.global.u64 %a, text;
                            {
                                .param .b64 a0;
                                .param .b64 a1;
                                .param .b32 a2;
                                .param .b64 a3;
                                .param .b64 a4;
                                st.param.b64 [a0], %a;
                                st.param.b64 [a1], %a;
                                st.param.b32 [a2], 17;
                                st.param.b64 [a3], %a;
                                st.param.b64 [a4], 1;
                                call.uni __assertfail, (a0, a1, a2, a3, a4);
                            }
                            ret;
                        }
                        """);
        assertEquals(Set.of("0/0", "0/1", "1/0", "1/1"), threads(fails(asking, "k", 2, 2)));
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
