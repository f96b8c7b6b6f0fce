package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class StructsTest {
    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    private static ByteBuffer struct(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 31, 33, 256})
    void byValueWithPointers(int block) {
        int n = 3 * block - block / 2;
        int[] data = gpu.inputs().ints(n, -1000, 1000);
        long result = gpu.allocate(4L * n);
        ByteBuffer view = struct(32);
        view.putLong(gpu.upload(data)).putInt(n).putShort((short) -7).put((byte) -3).put((byte) 0);
        view.putDouble(0.75).putLong(result);
        gpu.kernel("structs", "by_value").grid(3).block(block).run(view.array(), 1000);
        int[] expected = new int[n];
        for (int i = 0; i < n; i++) {
            expected[i] = (int) (data[i] * -7 * 0.75) - 3 + 1000;
        }
        assertArrayEquals(expected, gpu.ints(result, n));
    }

    /** A list of two tables of rows, each row with its own memory. */
    @Test
    void nestedPointers() {
        int[] rows = {5, 40};
        float[] expected = new float[45];
        long[] inner = new long[2];
        int at = 0;
        for (int table = 0; table < 2; table++) {
            ByteBuffer entries = struct(16 * rows[table]);
            for (int row = 0; row < rows[table]; row++) {
                float[] values = gpu.inputs().floats(row * 3 % 17, -1, 1);
                for (float value : values) {
                    expected[at] += value;
                }
                at++;
                entries.putLong(gpu.upload(values)).putLong(values.length);
            }
            inner[table] = gpu.upload(entries.array());
        }
        long second = gpu.upload(struct(24).putLong(rows[1]).putLong(inner[1]).array());
        long first =
                gpu.upload(struct(24).putLong(rows[0]).putLong(inner[0]).putLong(second).array());
        long sums = gpu.allocate(4L * expected.length);
        gpu.kernel("structs", "nested").grid(2).block(32).run(first, sums);
        assertArrayEquals(expected, gpu.floats(sums, expected.length));
    }

    @Test
    void parameterIndexedAtRunTime() {
        int[] table = gpu.inputs().ints(64);
        int[] index = gpu.inputs().ints(256, 0, 1000);
        byte[] bytes = new byte[256];
        MemorySegment.ofArray(bytes).copyFrom(MemorySegment.ofArray(table));
        long out = gpu.allocate(4L * index.length);
        gpu.kernel("structs", "table_lookup").grid(4).block(64).run(bytes, gpu.upload(index), out);
        int[] expected = new int[index.length];
        for (int i = 0; i < index.length; i++) {
            expected[i] = table[index[i] & 63];
        }
        assertArrayEquals(expected, gpu.ints(out, index.length));
    }

    @Test
    void smallAndAlignedParameters() {
        ByteBuffer packed = struct(32);
        packed.put((byte) -5).put((byte) 0).putShort((short) -600).putInt(-70_000);
        packed.putLong(-8L << 40).put((byte) 255).put((byte) 1).put((byte) 2);
        long out = gpu.allocate(88);
        gpu.kernel("structs", "small_arguments")
                .run((byte) -1, (short) -2, packed.array(), (byte) 200, 2.5f, -3.25, (byte) 1, out);
        long[] expected = {
            -1, -2, -5, -600, -70_000, -8L << 40, 255 + 256 + 2 * 65_536, 200, 20, -52, 1
        };
        assertArrayEquals(expected, gpu.longs(out, expected.length));
    }
}
