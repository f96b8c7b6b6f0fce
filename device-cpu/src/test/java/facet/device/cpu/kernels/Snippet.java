package facet.device.cpu.kernels;

import facet.device.Launch;
import facet.device.Launch.Dim;
import facet.device.LoadedModule;

/**
 * A few instructions as a kernel. They find the inputs in %rd0, %rd1 and so on, and their low bits
 * in %r0, %h0, %f0 and so on; they leave results in %d0 to %d3. %s is 256 bytes of shared memory,
 * %g 256 bytes of global memory that start as zero.
 */
final class Snippet {
    private static final int RESULTS = 4;

    private Snippet() {}

    /** The first result of thread 0. */
    static long evaluate(KernelRunner gpu, String body, long... inputs) {
        return run(gpu, body, 1, inputs)[0];
    }

    /** The results, thread after thread. */
    static long[] run(KernelRunner gpu, String body, int threads, long... inputs) {
        return runModule(gpu, module(body, "", inputs.length), threads, inputs);
    }

    static long[] runModule(KernelRunner gpu, String ptx, int threads, long... inputs) {
        long in = gpu.upload(inputs.length == 0 ? new long[1] : inputs);
        long out = gpu.upload(new long[RESULTS * threads]);
        long memory = gpu.upload(new long[32]);
        try (LoadedModule module = gpu.context().load(ptx)) {
            gpu.stream()
                    .launch(
                            Launch.of(
                                    module.kernel("snippet"),
                                    Dim.of(1),
                                    Dim.of(threads),
                                    in,
                                    out,
                                    memory));
            gpu.stream().synchronize();
        }
        return gpu.longs(out, RESULTS * threads);
    }

    static String module(String body, String functions, int inputs) {
        StringBuilder text = new StringBuilder();
        text.append(
                """
                .version 9.0
                .target sm_100a
                .address_size 64
                """);
        text.append(functions);
        text.append(
                """
                .visible .entry snippet(.param .u64 in, .param .u64 out, .param .u64 memory)
                {
                .reg .b64 %rd<16>; .reg .b32 %r<16>; .reg .b16 %h<16>; .reg .f32 %f<16>;
                .reg .f64 %fd<16>; .reg .pred %p<8>; .reg .b8 %c<8>; .reg .b128 %q<4>;
                .reg .v4 .b32 %v<4>; .reg .v2 .f32 %w<4>;
                .reg .b64 %d<4>; .reg .b64 %g; .reg .b64 %in; .reg .b64 %out; .reg .b64 %tid64;
                .reg .b32 %t;
                .shared .align 16 .b8 s[256];
                ld.param.u64 %in, [in];
                ld.param.u64 %out, [out];
                ld.param.u64 %g, [memory];
                mov.u32 %t, %tid.x;
                mov.b64 %d0, 0; mov.b64 %d1, 0; mov.b64 %d2, 0; mov.b64 %d3, 0;
                """);
        for (int i = 0; i < inputs; i++) {
            text.append("ld.global.b64 %%rd%d, [%%in+%d];\n".formatted(i, 8 * i));
            text.append("cvt.u32.u64 %%r%1$d, %%rd%1$d;\n".formatted(i));
            text.append("cvt.u16.u64 %%h%1$d, %%rd%1$d;\n".formatted(i));
            text.append("mov.b32 %%f%1$d, %%r%1$d;\n".formatted(i));
            text.append("mov.b64 %%fd%1$d, %%rd%1$d;\n".formatted(i));
        }
        text.append("{\n").append(body).append("\n}\n");
        text.append("mad.wide.u32 %out, %t, 32, %out;\n");
        for (int i = 0; i < RESULTS; i++) {
            text.append("st.global.b64 [%%out+%d], %%d%d;\n".formatted(8 * i, i));
        }
        return text.append("ret;\n}\n").toString();
    }
}
