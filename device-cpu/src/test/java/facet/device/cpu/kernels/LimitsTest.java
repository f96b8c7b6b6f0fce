package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.device.Launch;
import facet.device.Launch.Dim;
import facet.device.LoadedModule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What directives and special registers say about the size of a launch. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class LimitsTest {
    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    private static void launch(String directive, Dim block) {
        String text =
                ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k() "
                        + directive
                        + " { ret; }\n";
        try (LoadedModule module = gpu.context().load(text)) {
            gpu.stream().launch(Launch.of(module.kernel("k"), Dim.of(1), block));
            gpu.stream().synchronize();
        }
    }

    private static void refused(String directive, Dim block) {
        DeviceException e = assertThrows(DeviceException.class, () -> launch(directive, block));
        assertEquals(DeviceError.INVALID_VALUE, e.error());
    }

    @Test
    void directivesBoundTheBlock() {
        launch(".maxntid 32, 2, 1", Dim.of(64));
        refused(".maxntid 32, 1, 1", Dim.of(64));
        launch(".reqntid 8, 4", new Dim(8, 4, 1));
        refused(".reqntid 8, 4", new Dim(4, 8, 1));
        refused(".reqntid 8", new Dim(8, 4, 1));
    }

    @Test
    void dynamicSharedMemoryHasTheSizeOfTheLaunch() {
        String text =
                """
                .version 9.0
                .target sm_90
                .address_size 64
                .extern .shared .align 16 .b8 dynamic[];
                .visible .entry k(.param .u64 out)
                { .reg .b64 %out; .reg .b32 %r<5>; .shared .align 4 .b8 fixed[40];
                  ld.param.u64 %out, [out];
                  mov.u32 %r1, %dynamic_smem_size;
                  st.global.u32 [%out], %r1;
                  mov.u32 %r2, dynamic;
                  st.global.u32 [%out+4], %r2;
                  st.shared.u32 [fixed+36], %r1;
                  ret; }
                """;
        long out = gpu.upload(0, 0);
        try (LoadedModule module = gpu.context().load(text)) {
            gpu.stream()
                    .launch(
                            Launch.of(module.kernel("k"), Dim.of(1), Dim.of(1), out)
                                    .withShared(100));
            gpu.stream().synchronize();
        }
        assertEquals(100, gpu.ints(out, 2)[0]);
        assertEquals(64, gpu.ints(out, 2)[1]);
    }

    @Test
    void clocksDoNotRunBackwards() {
        String body =
                """
                mov.u64 %rd4, %globaltimer;
                mov.u32 %r5, 0;
                LOOP: mov.u64 %rd5, %globaltimer;
                setp.lt.u64 %p0, %rd5, %rd4;
                @%p0 add.u64 %d0, %d0, 1;
                mov.u64 %rd4, %rd5;
                add.u32 %r5, %r5, 1;
                setp.lt.u32 %p1, %r5, 100000;
                @%p1 bra LOOP;
                """;
        assertEquals(0, Snippet.evaluate(gpu, body));
    }
}
