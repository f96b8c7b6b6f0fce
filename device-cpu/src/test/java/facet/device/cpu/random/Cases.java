package facet.device.cpu.random;

import static org.junit.jupiter.api.Assertions.assertEquals;

import facet.device.Device;
import facet.device.Launch.Dim;
import facet.device.cpu.CpuDevice;
import java.time.Duration;
import java.util.Optional;

/**
 * Runs hand-written kernels on both sides. A kernel starts with
 *
 * <pre>
 * %memory  64 KiB of zeros      %own  a word for the thread, from 4096 on
 * %thread %block %threads       numbers of thread and block, threads of a block
 * %id %lane                     number in the grid, lane in the warp
 * </pre>
 *
 * and may use {@code %r %q %p %l} from 0 to 19 and the shared words {@code cells}, which are not
 * cleared.
 */
final class Cases {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int BYTES = 64 << 10;

    private static final String BEFORE =
            """
            .visible .entry kernel(.param .u64 memory, .param .u32 number) {
            .reg .b32 %r<20>, %thread, %block, %threads, %blocks, %id, %lane;
            .reg .b64 %l<20>, %memory, %own;
            .reg .pred %p<20>;
            ld.param.u64 %memory, [memory];
            mov.u32 %thread, %tid.x;
            mov.u32 %block, %ctaid.x;
            mov.u32 %threads, %ntid.x;
            mov.u32 %blocks, %nctaid.x;
            mov.u32 %lane, %laneid;
            mad.lo.u32 %id, %block, %threads, %thread;
            mul.wide.u32 %own, %id, 4;
            add.u64 %own, %own, %memory;
            add.u64 %own, %own, 4096;
            """;

    private Cases() {}

    private static final class Shared {
        static final Device DEVICE = CpuDevice.create();

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(DEVICE::close));
        }
    }

    static String module(String functions, String body) {
        return ".version 8.0\n.target sm_80\n.address_size 64\n.shared .align 4 .b32 cells[1024];\n"
                + functions
                + BEFORE
                + body
                + "ret;\n}\n";
    }

    static void run(String body, int grid, int block) {
        run("", body, grid, block);
    }

    static void run(String functions, String body, int grid, int block) {
        check(module(functions, body), grid, block, false);
    }

    static void cooperative(String body, int grid, int block) {
        check(module("", body), grid, block, true);
    }

    private static void check(String ptx, int grid, int block, boolean cooperative) {
        Comparison comparison = new Comparison(Shared.DEVICE, PATIENCE.toNanos());
        Comparison.Case run =
                new Comparison.Case(
                        ptx, Dim.of(grid), Dim.of(block), new byte[BYTES], 0, cooperative);
        for (int schedule = 1; schedule <= 3; schedule++) {
            assertEquals(Optional.empty(), comparison.difference(run, schedule));
        }
    }
}
