package facet.device.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.Device;
import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.device.Kernel;
import facet.device.Launch;
import facet.device.Launch.Dim;
import facet.device.Stream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Kernels that would run for years without a loop: each is stopped, and paused. */
@Timeout(60)
final class StopTest {
    private static final String HEAD = ".version 8.0\n.target sm_75\n.address_size 64\n";

    private static final String BEGIN =
            """
            .visible .entry run(.param .u64 begun)
            {
                .reg .b32 %r<4>; .reg .b64 %rd<4>;
                ld.param.u64 %rd0, [begun];
                st.global.u32 [%rd0], 1;
            """;

    /** Ways to go on for ever, or as good as. */
    enum Endless {
        /** Each function calls the one before twice: 2^60 calls. */
        TREE_OF_CALLS,
        TREE_OF_INDIRECT_CALLS,
        /** Recursion twice at each level, 60 deep. */
        RECURSION,
        /** A tree at whose leaves memory of the heap is taken and given back. */
        HEAP,
        /** 100,000 times a millisecond. */
        SLEEPS;

        String ptx() {
            return switch (this) {
                case TREE_OF_CALLS -> tree(".func f0() { ret; }\n", false);
                case TREE_OF_INDIRECT_CALLS -> tree(".func f0() { ret; }\n", true);
                case RECURSION ->
                        HEAD
                                + """
                                .func again(.reg .b32 %left)
                                {
                                    .reg .pred %p;
                                    setp.le.s32 %p, %left, 0;
                                    @%p ret;
                                    sub.s32 %left, %left, 1;
                                    call.uni again, (%left);
                                    call.uni again, (%left);
                                    ret;
                                }
                                """
                                + BEGIN
                                + "mov.u32 %r0, 60; call.uni again, (%r0); ret; }\n";
                case HEAP ->
                        tree(
                                """
                                .extern .func (.param .b64 out) malloc(.param .b64 bytes);
                                .extern .func free(.param .b64 at);
                                .func f0()
                                {
                                    .reg .b64 %rd<2>;
                                    {
                                        .param .b64 bytes; .param .b64 out;
                                        st.param.b64 [bytes], 64;
                                        call.uni (out), malloc, (bytes);
                                        ld.param.b64 %rd0, [out];
                                    }
                                    {
                                        .param .b64 at;
                                        st.param.b64 [at], %rd0;
                                        call.uni free, (at);
                                    }
                                    ret;
                                }
                                """,
                                false);
                case SLEEPS ->
                        HEAD + BEGIN + "nanosleep.u32 1000000;\n".repeat(50_000) + "ret; }\n";
            };
        }

        private static String tree(String leaf, boolean indirect) {
            StringBuilder text = new StringBuilder(HEAD).append(leaf);
            for (int i = 1; i < 60; i++) {
                String call =
                        indirect
                                ? "mov.u64 %%rd0, f%1$d; call %%rd0, kind;\n".formatted(i - 1)
                                : "call.uni f%d;\n".formatted(i - 1);
                text.append(".func f%d()\n{\n.reg .b64 %%rd<1>;\n".formatted(i));
                text.append(indirect ? "kind: .callprototype _ ();\n" : "");
                text.append(call).append(call).append("ret;\n}\n");
            }
            return text.append(BEGIN).append("call.uni f59; ret; }\n").toString();
        }
    }

    private final Device device = CpuDevice.create(CpuDevice.profile("one seat", 1 << 30, 1), 1);

    @AfterEach
    void close() {
        device.close();
    }

    private Context context(String name) {
        return device.createContext(ContextOptions.of(name, 16 << 20).withFaults(line -> {}));
    }

    private static Stream begin(Context context, Endless endless) {
        long begun = context.allocate(4);
        Kernel kernel = context.load(endless.ptx()).kernel("run");
        Stream stream = context.createStream();
        stream.launch(Launch.of(kernel, Dim.of(1), Dim.of(32), begun));
        MemorySegment flag = ((CpuContext) context).memory().at(begun, Integer.BYTES);
        while (flag.get(ValueLayout.JAVA_INT, 0) == 0) {
            Thread.onSpinWait();
        }
        return stream;
    }

    @ParameterizedTest
    @EnumSource
    void isStopped(Endless endless) {
        Context context = context("stopped");
        Stream stream = begin(context, endless);
        context.stop();
        DeviceException error = assertThrows(DeviceException.class, stream::synchronize);
        assertEquals(DeviceError.LAUNCH_TIMEOUT, error.error());
        context.close();
    }

    @ParameterizedTest
    @EnumSource
    void leavesItsSeatWhilePaused(Endless endless) {
        Context paused = context("endless");
        begin(paused, endless);
        paused.pause();
        Context other = context("other");
        long cells = other.allocate(4L * 32);
        Kernel add = other.load(Kernels.ADD).kernel("add");
        Stream stream = other.createStream();
        stream.launch(Launch.of(add, Dim.of(1), Dim.of(32), cells, 32, 5));
        int[] values = new int[32];
        stream.copyFromDevice(MemorySegment.ofArray(values), cells);
        stream.synchronize();
        assertEquals(5, values[31]);
        paused.stop();
    }

    /** Copies of memory onto itself come in pieces too. */
    @Test
    void overlappingCopiesAreRight() {
        Context context = context("overlapping");
        int n = 1_500_000;
        long cells = context.allocate(4L * n + 400);
        Stream stream = context.createStream();
        int[] numbers = new int[n];
        java.util.Arrays.setAll(numbers, i -> i);
        for (long shift : new long[] {400, -400}) {
            long from = shift > 0 ? cells : cells + 400;
            stream.copyToDevice(from, MemorySegment.ofArray(numbers));
            stream.copy(from + shift, from, 4L * n);
            int[] moved = new int[n];
            stream.copyFromDevice(MemorySegment.ofArray(moved), from + shift);
            stream.synchronize();
            org.junit.jupiter.api.Assertions.assertArrayEquals(numbers, moved);
        }
    }
}
