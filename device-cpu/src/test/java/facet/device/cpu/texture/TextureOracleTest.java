package facet.device.cpu.texture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.Device;
import facet.device.Kernel;
import facet.device.Launch;
import facet.device.Launch.Dim;
import facet.device.Stream;
import facet.device.TextureDescription;
import facet.device.TextureDescription.Edge;
import facet.device.TextureDescription.Format;
import facet.device.TextureDescription.Level;
import facet.device.TextureDescription.Sampling;
import facet.device.TextureDescription.Shape;
import facet.device.cpu.CpuDevice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random textures and places, against {@link SlowTexture}. {@code -Dfacet.seed=N} repeats. */
@Timeout(300)
final class TextureOracleTest {
    private static final long SEED = Long.getLong("facet.seed", 20261117);
    private static final int TEXTURES = 400;
    private static final int PLACES = 64;
    private static final List<Format> FORMATS = List.of(Format.values());

    private static final String[] COORDINATES = {
        "%f0", "%f0, %f1", "%f0, %f1, %f2, %f2", "%r1, %f0", "%r1, %f0, %f1, %f1"
    };
    private static final String[] GEOMETRIES = {"1d", "2d", "3d", "a1d", "a2d"};

    private final Random random = new Random(SEED);

    @Test
    void asTheGuideSays() {
        try (Device device = CpuDevice.create(CpuDevice.profile("small", 64 << 20, 2), 2);
                Context context = device.createContext(ContextOptions.of("textures", 32 << 20))) {
            Stream stream = context.createStream();
            Kernel[] kernels = new Kernel[GEOMETRIES.length];
            for (int i = 0; i < kernels.length; i++) {
                // Bits as they come: whether they are a float is what the texture says.
                String text = kernel(GEOMETRIES[i] + ".v4.u32.f32", COORDINATES[i]);
                kernels[i] = context.load(text).kernel("k");
            }
            long memory = context.allocate(1 << 16);
            long places = context.allocate(16 * PLACES);
            long out = context.allocate(16 * PLACES);
            for (int i = 1; i <= TEXTURES; i++) {
                int geometry = random.nextInt(GEOMETRIES.length);
                SlowTexture slow = texture(geometry);
                stream.copyToDevice(memory, MemorySegment.ofArray(slow.data()));
                context.createTexture(i, description(slow, geometry, memory));
                float[] at = places(slow);
                stream.copyToDevice(places, MemorySegment.ofArray(at));
                Launch launch =
                        Launch.of(
                                kernels[geometry],
                                Dim.of(1),
                                Dim.of(PLACES),
                                (long) i,
                                places,
                                out);
                stream.launch(launch);
                int[] seen = new int[4 * PLACES];
                stream.copyFromDevice(MemorySegment.ofArray(seen), out);
                stream.synchronize();
                compare(slow, at, seen, i);
                if (i % 3 == 0) {
                    context.destroyTexture(i);
                }
            }
        }
    }

    private void compare(SlowTexture slow, float[] at, int[] seen, int number) {
        boolean floats =
                slow.fractions() && SlowTexture.bytes(slow.format()) < 4
                        || slow.format() == Format.F16
                        || slow.format() == Format.F32;
        for (int i = 0; i < 4 * PLACES; i++) {
            double[] place = {at[i / 4 * 4], at[i / 4 * 4 + 1], at[i / 4 * 4 + 2]};
            int layer = Float.floatToRawIntBits(at[i / 4 * 4 + 3]);
            double expected = slow.sample(place, Math.clamp(layer, 0, slow.sizes()[2] - 1), i % 4);
            double got =
                    floats
                            ? Float.intBitsToFloat(seen[i])
                            : slow.format() == Format.U32 ? seen[i] & 0xffff_ffffL : seen[i];
            assertEquals(
                    expected,
                    got,
                    1e-5 * (1 + Math.abs(expected)),
                    "texture %d %s, place %d, channel %d; -Dfacet.seed=%d"
                            .formatted(number, slow, i / 4, i % 4, SEED));
        }
    }

    /** Each thread a fetch of four channels. */
    private static String kernel(String form, String coordinates) {
        return """
        .version 8.0
        .target sm_75
        .address_size 64
        .visible .entry k(.param .u64 t, .param .u64 places, .param .u64 out)
        {
            .reg .b32 %%r<8>; .reg .f32 %%f<8>; .reg .b64 %%rd<8>;
            mov.u32 %%r0, %%tid.x;
            mul.wide.u32 %%rd0, %%r0, 16;
            ld.param.u64 %%rd1, [places];
            add.u64 %%rd1, %%rd1, %%rd0;
            ld.global.v4.b32 {%%f0, %%f1, %%f2, %%r1}, [%%rd1];
            ld.param.u64 %%rd2, [t];
            tex.%s {%%r4, %%r5, %%r6, %%r7}, [%%rd2, {%s}];
            ld.param.u64 %%rd3, [out];
            add.u64 %%rd3, %%rd3, %%rd0;
            st.global.v4.b32 [%%rd3], {%%r4, %%r5, %%r6, %%r7};
            ret;
        }
        """
                .formatted(form, coordinates);
    }

    private SlowTexture texture(int geometry) {
        Format format = FORMATS.get(random.nextInt(FORMATS.size()));
        int channels = 1 << random.nextInt(3);
        int axes = geometry < 3 ? geometry + 1 : geometry - 2;
        // Powers of two: coordinates from 0 to 1 are then exact in elements.
        int[] sizes = {
            1 << random.nextInt(5),
            axes > 1 ? 1 << random.nextInt(4) : 1,
            axes > 2 ? 1 << random.nextInt(3) : geometry > 2 ? 1 + random.nextInt(4) : 1
        };
        byte[] data =
                new byte[sizes[0] * sizes[1] * sizes[2] * channels * SlowTexture.bytes(format)];
        random.nextBytes(data);
        if (format == Format.F32 || format == Format.F16) {
            number(data, format);
        }
        boolean fractions = SlowTexture.bytes(format) < 4 && random.nextBoolean();
        boolean floats = fractions || format == Format.F16 || format == Format.F32;
        Edge[] edges = Edge.values();
        boolean normalized = random.nextBoolean();
        return new SlowTexture(
                format,
                channels,
                sizes,
                axes,
                data,
                random.ints(3, 0, 4).mapToObj(i -> edges[i]).toList(),
                floats && random.nextBoolean(),
                normalized,
                fractions && format != Format.F16,
                floats ? new double[] {0.5, -1, 2, 0.25} : new double[4]);
    }

    /** Numbers without extremes, whose sums are exact enough. */
    private void number(byte[] data, Format format) {
        MemorySegment segment = MemorySegment.ofArray(data);
        for (int i = 0; i < data.length / SlowTexture.bytes(format); i++) {
            float value = random.nextInt(-1000, 1000) / 16f;
            if (format == Format.F32) {
                segment.set(ValueLayout.JAVA_FLOAT_UNALIGNED, 4L * i, value);
            } else {
                segment.set(ValueLayout.JAVA_SHORT_UNALIGNED, 2L * i, Float.floatToFloat16(value));
            }
        }
    }

    private float[] places(SlowTexture slow) {
        float[] places = new float[4 * PLACES];
        for (int i = 0; i < places.length; i++) {
            int axis = i % 4;
            if (axis == 3) {
                places[i] = Float.intBitsToFloat(random.nextInt(slow.sizes()[2] + 2));
            } else {
                float spread = slow.normalized() ? 3 : 3f * slow.sizes()[axis];
                places[i] = random.nextInt((int) (-1024 * spread), (int) (1024 * spread)) / 1024f;
            }
        }
        return places;
    }

    private static TextureDescription description(SlowTexture slow, int geometry, long memory) {
        long pitch = (long) slow.sizes()[0] * slow.channels() * SlowTexture.bytes(slow.format());
        return new TextureDescription(
                geometry < 3 ? Shape.PLAIN : Shape.LAYERED,
                slow.format(),
                slow.channels(),
                List.of(
                        new Level(
                                memory,
                                pitch,
                                pitch * slow.sizes()[1],
                                slow.sizes()[0],
                                slow.sizes()[1],
                                slow.sizes()[2])),
                new Sampling(
                        slow.edges(),
                        slow.linear(),
                        false,
                        slow.normalized(),
                        slow.fractions(),
                        false,
                        false,
                        0,
                        0,
                        0,
                        List.of(
                                (float) slow.border()[0],
                                (float) slow.border()[1],
                                (float) slow.border()[2],
                                (float) slow.border()[3])));
    }
}
