package facet.device.cpu.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import facet.device.cpu.kernels.Shapes.Shape;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class AtomicsTest {
    @RegisterExtension static final KernelRunner gpu = new KernelRunner();

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void ints(Shape shape) {
        int n = shape.threads() - shape.block() / 3;
        int[] in = gpu.inputs().mixedInts(n);
        int[] start = {1, 2, Integer.MAX_VALUE, Integer.MIN_VALUE, -1, 0, 77, -1, 0, 0, 0};
        long cells = gpu.upload(start);
        gpu.kernel("atomics", "atomic_int").shape(shape).run(gpu.upload(in), cells, n);
        int sum = Arrays.stream(in).sum();
        int[] expected = {
            1 + sum,
            2 - sum,
            Arrays.stream(in).min().getAsInt(),
            Arrays.stream(in).max().getAsInt(),
            Arrays.stream(in).reduce(-1, (a, b) -> a & (b | 0xff)),
            Arrays.stream(in).reduce(0, (a, b) -> a | (b & 0xf0f0)),
            Arrays.stream(in).reduce(77, (a, b) -> a ^ b),
            Arrays.stream(in).boxed().min(Integer::compareUnsigned).orElseThrow(),
            Arrays.stream(in).boxed().max(Integer::compareUnsigned).orElseThrow(),
            n % 10,
            (13 - n % 13) % 13
        };
        assertArrayEquals(expected, gpu.ints(cells, expected.length));
    }

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void longs(Shape shape) {
        int n = shape.threads() - shape.block() / 3;
        long[] in = gpu.inputs().mixedLongs(n);
        long[] start = {5, Long.MAX_VALUE, Long.MIN_VALUE, -1, 0, -1, 0, 99};
        long cells = gpu.upload(start);
        gpu.kernel("atomics", "atomic_long").shape(shape).run(gpu.upload(in), cells, n);
        long[] expected = {
            5 + LongStream.of(in).sum(),
            LongStream.of(in).min().getAsLong(),
            LongStream.of(in).max().getAsLong(),
            LongStream.of(in).boxed().min(Long::compareUnsigned).orElseThrow(),
            LongStream.of(in).boxed().max(Long::compareUnsigned).orElseThrow(),
            LongStream.of(in).reduce(-1, (a, b) -> a & (b | 0xff)),
            LongStream.of(in).reduce(0, (a, b) -> a | (b & 0xf0f0f0f0f0L)),
            LongStream.of(in).reduce(99, (a, b) -> a ^ b)
        };
        assertArrayEquals(expected, gpu.longs(cells, expected.length));
    }

    /** The sums are of small integers and halves: exact in any order. */
    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void floats(Shape shape) {
        int n = shape.threads() - shape.block() / 3;
        int[] in = gpu.inputs().ints(n, -100, 100);
        long single = gpu.allocate(16);
        long twice = gpu.allocate(32);
        gpu.kernel("atomics", "atomic_float").shape(shape).run(gpu.upload(in), single, twice, n);
        float[] singles = new float[4];
        double[] doubles = new double[4];
        for (int i = 0; i < n; i++) {
            singles[i & 3] += in[i];
            doubles[i & 3] += in[i] * 0.5;
        }
        assertArrayEquals(singles, gpu.floats(single, 4));
        assertArrayEquals(doubles, gpu.doubles(twice, 4));
    }

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void everyTicketOnce(Shape shape) {
        long counter = gpu.allocate(4);
        long owner = gpu.allocate(4L * shape.threads());
        gpu.kernel("atomics", "tickets").shape(shape).run(counter, owner);
        int[] owners = gpu.ints(owner, shape.threads());
        Arrays.sort(owners);
        assertArrayEquals(IntStream.rangeClosed(1, shape.threads()).toArray(), owners);
        assertEquals(shape.threads(), gpu.ints(counter, 1)[0]);
    }

    /** As many threads as a whole number of turns. */
    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void ticketsThatWrap(Shape shape) {
        int values = shape.grid();
        long counter = gpu.allocate(8);
        long hits = gpu.allocate(8L * values);
        gpu.kernel("atomics", "wrapping_tickets").shape(shape).run(counter, hits, values - 1);
        int[] expected = new int[2 * values];
        Arrays.fill(expected, shape.block());
        assertArrayEquals(expected, gpu.ints(hits, expected.length));
        assertArrayEquals(new int[2], gpu.ints(counter, 2));
    }

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void exchange(Shape shape) {
        int n = shape.threads() + 1;
        long cell = gpu.allocate(4);
        long single = gpu.allocate(4);
        long wide = gpu.allocate(8);
        long seen = gpu.allocate(12L * n);
        gpu.kernel("atomics", "exchange").shape(shape).run(cell, single, wide, seen, n);
        int[] expected = new int[3 * n];
        Arrays.fill(expected, 1);
        expected[gpu.ints(cell, 1)[0]] = 0; // nobody took the last ones out
        expected[n + (int) gpu.floats(single, 1)[0]] = 0;
        expected[2 * n + (int) (gpu.longs(wide, 1)[0] >> 40)] = 0;
        assertArrayEquals(expected, gpu.ints(seen, expected.length));
    }

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void compareAndSwapLoop(Shape shape) {
        long cell = gpu.upload(1);
        long wide = gpu.upload(1L);
        gpu.kernel("atomics", "cas_loop").shape(shape).run(cell, wide);
        long product = 1;
        for (int i = 0; i < shape.threads(); i++) {
            product *= 2 * i + 1;
        }
        assertEquals((int) product, gpu.ints(cell, 1)[0]);
        assertEquals(product, gpu.longs(wide, 1)[0]);
    }

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void inSharedMemory(Shape shape) {
        int n = shape.block();
        int[] in = gpu.inputs().ints(shape.threads(), -100_000, 100_000);
        long out = gpu.allocate(64L * shape.grid());
        gpu.kernel("atomics", "shared_atomics").shape(shape).run(gpu.upload(in), out);
        long[] expected = new long[8 * shape.grid()];
        for (int b = 0; b < shape.grid(); b++) {
            int[] block = Arrays.copyOfRange(in, b * n, b * n + n);
            long[] row = {
                Arrays.stream(block).sum(),
                Arrays.stream(block).min().getAsInt(),
                Arrays.stream(block).max().getAsInt(),
                Arrays.stream(block).reduce(0, (x, y) -> x ^ y),
                6,
                Arrays.stream(block).asLongStream().sum(),
                Arrays.stream(block).map(v -> v & 15).sum(),
                Arrays.stream(block).map(v -> v & 255).sum()
            };
            System.arraycopy(row, 0, expected, 8 * b, 8);
        }
        assertArrayEquals(expected, gpu.longs(out, expected.length));
    }

    @ParameterizedTest
    @MethodSource(Shapes.ANY)
    void scopes(Shape shape) {
        long cells = gpu.allocate(4L * (shape.grid() + 2));
        gpu.kernel("atomics", "scoped").shape(shape).run(cells);
        int[] expected = new int[shape.grid() + 2];
        Arrays.fill(expected, shape.block());
        expected[shape.grid()] = shape.threads();
        expected[shape.grid() + 1] = shape.block() - 1;
        assertArrayEquals(expected, gpu.ints(cells, expected.length));
    }
}
