package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import facet.device.Launch;
import facet.device.Launch.Dim;
import facet.device.LoadedModule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Moves, loads, stores and atomics in the forms that compilers seldom write. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class MovementTest {
    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    private static long[] run(String body, long... inputs) {
        return Snippet.run(gpu, body, 1, inputs);
    }

    @Test
    void vectorsMoveAtOnce() {
        String body =
                """
                mov.v2.b64 {%rd0, %rd1}, {%rd1, %rd0};
                mov.b64 %d0, %rd0; mov.b64 %d1, %rd1;
                mov.v4.u32 %v0, %ntid;
                mov.v4.b32 {%r4, %r5, %r6, _}, %v0;
                cvt.u64.u32 %d2, %r4;
                mov.v4.b32 %v1, {%r0, %r1, %r0, %r1};
                cvt.u64.u32 %d3, %v1.w;
                """;
        assertArrayEquals(new long[] {7, 5, 1, 7}, run(body, 5, 7));
    }

    @Test
    void packsAndUnpacks() {
        String body =
                """
                mov.b64 {%r4, %r5}, %rd0;
                mov.b64 %d0, {%r5, %r4};
                mov.b32 {%h4, %h5}, %r0;
                mov.b64 %d1, {%h5, %h4, %h4, %h5};
                mov.b128 %q0, {%rd0, %rd1};
                mov.b128 %q1, %q0;
                mov.b128 {%d2, %d3}, %q1;
                """;
        assertArrayEquals(
                new long[] {0x5566778811223344L, 0x5566778877885566L, 0x1122334455667788L, 9},
                run(body, 0x1122334455667788L, 9));
    }

    @Test
    void vectorRegistersLoadAndStore() {
        String body =
                """
                ld.global.v4.b32 %v0, [%in];
                st.global.v4.b32 [%g], %v0;
                ld.global.v2.b64 {%d0, %d1}, [%g];
                ld.global.v2.f32 %w0, [%in+8];
                mov.b32 %r5, %w0.y;
                cvt.u64.u32 %d2, %r5;
                st.shared.v8.b32 [s], {%r0, %r1, %r0, %r1, %r0, %r1, %r0, %r1};
                ld.shared.v8.b32 {%r4, %r5, %r6, %r7, _, _, _, %r8}, [s];
                cvt.u64.u32 %d3, %r8;
                """;
        long a = 0x1122334455667788L;
        long b = 0x99aabbccddeeff00L;
        assertArrayEquals(new long[] {a, b, b >>> 32, b & 0xffff_ffffL}, run(body, a, b));
    }

    @Test
    void registersWiderThanTheType() {
        String body =
                """
                ld.global.s8 %d0, [%in];
                ld.global.u8 %d1, [%in];
                st.global.b8 [%g], %rd0;
                st.global.b8 [%g+2], %rd0;
                ld.global.u32 %d2, [%g];
                ld.global.s16 %r5, [%in];
                cvt.u64.u32 %d3, %r5;
                """;
        assertArrayEquals(new long[] {-4, 0xfc, 0xfc00fc, 0xfffffafcL}, run(body, 0xf8f9fafcL));
    }

    @Test
    void policiesAndWideValues() {
        String body =
                """
                createpolicy.fractional.L2::evict_last.b64 %rd5, 0.5;
                ld.global.L2::cache_hint.v2.b64 {%d0, %d1}, [%in], %rd5;
                st.global.L2::cache_hint.b64 [%g], %d1, %rd5;
                atom.global.add.L2::cache_hint.u64 %d2, [%g], 1, %rd5;
                ld.global.b128 %q0, [%in];
                st.global.b128 [%g+16], %q0;
                atom.global.exch.b128 %q1, [%g+16], %q0;
                mov.b128 {%rd6, %d3}, %q1;
                """;
        assertArrayEquals(new long[] {5, 9, 9, 9}, run(body, 5, 9));
    }

    @Test
    void atomicsOnVectorsAndHalves() {
        String body =
                """
                atom.global.add.v2.f32 {%r4, %r5}, [%g], {%r0, %r1};
                red.global.add.v2.f32 [%g], {%r0, %r1};
                ld.global.b64 %d0, [%g];
                atom.global.add.noftz.v4.f16 {%h4, %h5, %h6, %h7}, [%g+8], {%h2, %h2, %h2, %h2};
                red.global.max.noftz.v2.f16x2 [%g+8], {%r3, %r3};
                ld.global.b64 %d1, [%g+8];
                atom.shared.cas.b16 %h8, [s], %h8, %h2;
                atom.shared.add.noftz.bf16x2 %r6, [s+4], %r3;
                ld.shared.b64 %d2, [s];
                cvt.u64.u32 %d3, %r5;
                """;
        long[] results =
                run(
                        "mov.b64 %d0, 0; st.shared.b64 [s], %d0; mov.b16 %h8, 0;" + body,
                        0x3f800000,
                        0x40000000,
                        0x3c00,
                        0x40003800);
        assertEquals(0x4080000040000000L, results[0]);
        assertEquals(0x40003c0040003c00L, results[1]);
        assertEquals(0x4000380000003c00L, results[2]);
        assertEquals(0, results[3]);
    }

    @Test
    void spacesAndClusters() {
        String body =
                """
                mov.u64 %rd4, s;
                cvta.shared.u64 %rd4, %rd4;
                isspacep.shared %p0, %rd4;
                isspacep.global %p1, %rd4;
                isspacep.global %p2, %g;
                selp.b64 %d0, 1, 0, %p0;
                selp.b64 %d1, 1, 0, %p1;
                selp.b64 %d2, 1, 0, %p2;
                mapa.shared::cluster.u64 %rd5, %rd4, 0;
                getctarank.u64 %r4, %rd4;
                cvta.to.shared.u64 %rd5, %rd5;
                st.shared.u32 [%rd5+8], 77;
                ld.shared.u32 %r5, [s+8];
                add.u32 %r5, %r5, %r4;
                cvt.u64.u32 %d3, %r5;
                """;
        assertArrayEquals(new long[] {1, 0, 1, 77}, run(body));
    }

    @Test
    void hintsDoNothing() {
        String body =
                """
                prefetch.global.L2 [%g]; prefetchu.L1 [%g]; applypriority.global.L2::evict_normal [%g], 128;
                ld.global.u32 %r4, [%g].unified;
                griddepcontrol.wait; pmevent 3; nanosleep.u32 %r0; setmaxnreg.dec.sync.aligned.u32 24;
                mov.b64 %d0, 5;
                """;
        assertEquals(5, run(body, 20)[0]);
    }

    /**
     * Parts of a number that grows from thread to thread, in a kernel of nothing but such numbers.
     */
    @Test
    void partsOfAffineValues() {
        String text =
                """
                .version 9.0
                .target sm_90
                .address_size 64
                .visible .entry k(.param .u64 out, .param .u64 start)
                { .reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b16 %h<5>;
                  ld.param.u64 %rd0, [out];
                  ld.param.u64 %rd1, [start];
                  mov.v4.u32 {%r1, %r2, %r3, %r4}, %tid;
                  mul.wide.u32 %rd2, %r1, 16;
                  add.u64 %rd3, %rd1, %rd2;
                  mov.b64 {%r5, %r6}, %rd3;
                  mov.u16 %h1, %tid.x;
                  cvt.u32.u16 %r7, %h1;
                  mul.wide.u32 %rd4, %r1, 4;
                  add.u64 %rd5, %rd0, %rd4;
                  st.global.u32 [%rd5], %r5;
                  st.global.u32 [%rd5+1024], %r6;
                  st.global.u32 [%rd5+2048], %r7;
                  cvt.rn.f32.u32 %f1, %r1; fma.rn.f32 %f1, %f1, %f1, %f1; fma.rn.f32 %f1, %f1, %f1, %f1;
                  fma.rn.f32 %f1, %f1, %f1, %f1; fma.rn.f32 %f1, %f1, %f1, %f1;
                  fma.rn.f32 %f1, %f1, %f1, %f1; fma.rn.f32 %f1, %f1, %f1, %f1;
                  fma.rn.f32 %f1, %f1, %f1, %f1; fma.rn.f32 %f1, %f1, %f1, %f1;
                  st.global.f32 [%rd5+3072], %f1;
                  ret; }
                """;
        long start = 0x7_ffff_fc00L;
        long out = gpu.upload(new int[1024]);
        try (LoadedModule module = gpu.context().load(text)) {
            gpu.stream().launch(Launch.of(module.kernel("k"), Dim.of(1), Dim.of(256), out, start));
            gpu.stream().synchronize();
        }
        int[] results = gpu.ints(out, 1024);
        for (int t = 0; t < 256; t++) {
            assertEquals((int) (start + 16L * t), results[t]);
            assertEquals((int) (start + 16L * t >>> 32), results[256 + t]);
            assertEquals(t, results[512 + t]);
        }
    }
}
