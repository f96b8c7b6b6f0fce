package facet.bench;

import facet.device.Launch.Dim;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.function.Supplier;

/**
 * A kernel with the inputs and the result that bench/README.md gives it.
 *
 * @param scalars the first arguments; the inputs and the output follow
 * @param tolerance of an element, relative to its size and to the mean of all
 * @param checksum of the output after the first launch
 */
record Workload(
        String name,
        Dim grid,
        Dim block,
        List<Object> scalars,
        Supplier<Data> data,
        Reference reference,
        double tolerance,
        double checksum) {

    /** Computes the expected output in double precision. */
    interface Reference {
        void fill(Data data, double[] expected);
    }

    /** What is in memory before the launch; heap memory of 4-byte elements, or bytes as input. */
    record Data(List<MemorySegment> inputs, MemorySegment output, boolean integers) {
        static Data floats(float[] output, float[]... inputs) {
            return new Data(
                    List.of(inputs).stream().map(MemorySegment::ofArray).toList(),
                    MemorySegment.ofArray(output),
                    false);
        }

        float value(int input, long index) {
            return inputs.get(input).getAtIndex(ValueLayout.JAVA_FLOAT, index);
        }

        int count() {
            return (int) (output.byteSize() / Integer.BYTES);
        }
    }

    double[] expected(Data from) {
        double[] expected = new double[from.count()];
        reference.fill(from, expected);
        return expected;
    }

    /** Throws at the first element that is too far from the expected one. */
    void check(boolean integers, MemorySegment output, double[] expected) {
        double magnitude = 0;
        for (double each : expected) {
            magnitude += Math.abs(each) / expected.length;
        }
        double sum = 0;
        for (int i = 0; i < expected.length; i++) {
            double actual =
                    integers
                            ? output.getAtIndex(ValueLayout.JAVA_INT, i)
                            : output.getAtIndex(ValueLayout.JAVA_FLOAT, i);
            if (!(Math.abs(actual - expected[i])
                    <= tolerance * (Math.abs(expected[i]) + magnitude))) {
                throw new WrongResult(
                        name + ": element " + i + " is " + actual + ", expected " + expected[i]);
            }
            sum += Math.abs(actual) * (1 + i % 256);
        }
        checkSum(sum);
    }

    /** The sum is given with 12 digits; only nbody, which approximates, may differ by more. */
    void checkSum(double sum) {
        double allowed = name.equals("nbody") ? tolerance : 1e-11;
        if (!(Math.abs(sum - checksum) <= allowed * checksum)) {
            throw new WrongResult(name + ": the checksum is " + sum + ", expected " + checksum);
        }
    }

    /** A kernel that ran to its end and computed something else. */
    static final class WrongResult extends RuntimeException {
        private static final long serialVersionUID = 1L;

        WrongResult(String message) {
            super(message);
        }
    }
}
