package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Functions in which threads meet, which become part of the kernel. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class InliningTest {
    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    private static final String EXCHANGE =
            """
            .func (.reg .u32 %r) exchange(.reg .u32 %v)
            { shfl.sync.bfly.b32 %r, %v, 1, 31, -1; add.u32 %r, %r, 50; ret; }
            """;

    @Test
    void parametersInRegisters() {
        String body = "call (%r5), exchange, (%t); cvt.u64.u32 %d0, %r5;";
        long[] results = Snippet.runModule(gpu, Snippet.module(body, EXCHANGE, 0), 32);
        for (int t = 0; t < 32; t++) {
            assertEquals((t ^ 1) + 50, results[4 * t]);
        }
    }

    /** A call that is not made leaves its result alone. */
    @Test
    void guardedCall() {
        String param =
                """
                .func (.param .u32 r) exchange(.param .u32 v)
                { .reg .u32 %v; ld.param.u32 %v, [v];
                  shfl.sync.bfly.b32 %v, %v, 1, 31, 0xffff; st.param.u32 [r], %v; ret; }
                """;
        String body =
                """
                mov.u32 %r5, 7;
                setp.lt.u32 %p0, %t, 16;
                @%p0 call (%r5), exchange, (%t);
                cvt.u64.u32 %d0, %r5;
                """;
        String register = EXCHANGE.replace(", -1;", ", 0xffff;").replace("%r, 50", "%r, 0");
        for (String function : new String[] {param, register}) {
            long[] results = Snippet.runModule(gpu, Snippet.module(body, function, 0), 32);
            for (int t = 0; t < 32; t++) {
                assertEquals(t < 16 ? t ^ 1 : 7, results[4 * t]);
            }
        }
    }
}
