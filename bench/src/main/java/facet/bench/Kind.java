package facet.bench;

import facet.bench.Workload.Data;
import facet.bench.Workload.WrongResult;
import facet.device.Launch.Dim;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.function.Supplier;

/**
 * A kernel of a kind that programs often have, beside the loop in C that does the same;
 * bench/baseline/kinds.c has the same table.
 *
 * @param file of bench/kernels/kinds
 * @param scalars the first arguments; the inputs and the output follow
 * @param checksum of the output; of floats up to what approximations differ by
 */
record Kind(
        String name,
        String file,
        Dim grid,
        Dim block,
        List<Object> scalars,
        Supplier<Data> data,
        double checksum) {
    private static final double TOLERANCE = 1e-5;

    /** Throws when an output, ours or the C loop's, is not the one that is expected. */
    void check(boolean integers, double sum) {
        double allowed = integers ? 0 : TOLERANCE * checksum;
        if (!(Math.abs(sum - checksum) <= allowed)) {
            throw new WrongResult(name + ": the checksum is " + sum + ", expected " + checksum);
        }
    }

    static double checksum(boolean integers, MemorySegment output) {
        double sum = 0;
        for (int i = 0; i < output.byteSize() / 4; i++) {
            double each =
                    integers
                            ? Integer.remainderUnsigned(
                                    output.getAtIndex(ValueLayout.JAVA_INT, i), 65521)
                            : Math.abs(output.getAtIndex(ValueLayout.JAVA_FLOAT, i));
            sum += each * (1 + i % 256);
        }
        return sum;
    }
}
