package facet.jit;

import facet.jit.emit.Emitter.Emitted;
import facet.jit.runtime.Lanes;
import facet.jit.runtime.Shape;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A kernel as code, independent of any context. */
public final class CompiledKernel {
    /** Threads after which vector code is worth its warm-up; tests set 0 to have it at once. */
    private static final long WARM = Long.getLong("facet.rows.after", 64 << 10);

    /** Place of a parameter in the packed arguments. */
    public record Parameter(int offset, int bytes, int alignment) {
        /** Where the next one may begin. */
        int end() {
            return offset + bytes; // bounded: the verifier allows 32 KiB for all of them
        }
    }

    private final String name;
    private final Emitted scalar;
    private final List<RowCode> rows;
    private final List<String> symbols;
    private final List<Parameter> parameters;
    private final int parameterBytes;
    private final int sharedBytes;
    private final int reservedBytes;
    private final boolean clusters;
    private final boolean calls;
    private final boolean allocates;
    private final boolean usesRuntime;
    private final boolean waitsForLaunches;
    private final AtomicLong threads = new AtomicLong();

    CompiledKernel(
            String name,
            Emitted scalar,
            IntFunction<Optional<Emitted>> compileRows,
            List<String> symbols,
            List<Parameter> parameters,
            int parameterBytes,
            int sharedBytes,
            int reservedBytes,
            boolean clusters,
            boolean calls,
            boolean allocates,
            boolean usesRuntime,
            boolean waitsForLaunches) {
        this.name = name;
        this.scalar = scalar;
        this.rows =
                Stream.iterate(Lanes.COUNT, each -> each <= Lanes.LONGEST, each -> 2 * each)
                        .map(lanes -> new RowCode(name, scalar, lanes, compileRows))
                        .toList();
        this.symbols = symbols;
        this.parameters = parameters;
        this.parameterBytes = parameterBytes;
        this.sharedBytes = sharedBytes;
        this.reservedBytes = reservedBytes;
        this.clusters = clusters;
        this.calls = calls;
        this.allocates = allocates;
        this.usesRuntime = usesRuntime;
        this.waitsForLaunches = waitsForLaunches;
    }

    public String name() {
        return name;
    }

    /** One thread at a time. */
    public Emitted scalar() {
        return scalar;
    }

    /**
     * Notes a launch of so many threads; from some number on vector code is made.
     *
     * @param later does what it is given on another thread
     */
    public void launched(Shape shape, long count, Executor later) {
        RowCode code = rows(shape);
        if (code == null || code.isAskedFor() || threads.addAndGet(count) < WARM) {
            return;
        }
        if (WARM > 0) {
            code.makeLater(later);
        } else {
            code.makeNow();
        }
    }

    /** Vector code is made, if there is none yet: few threads may have much to do. */
    public void takesLong(Shape shape, Executor later) {
        RowCode code = rows(shape);
        if (code != null) {
            code.makeLater(later);
        }
    }

    /** Code for rows of threads, where blocks of this shape have such rows. */
    public @Nullable RowCode rows(Shape shape) {
        int lanes = Math.min(Lanes.LONGEST, Integer.lowestOneBit(shape.x));
        return lanes < Lanes.COUNT
                ? null
                : rows.get(Integer.numberOfTrailingZeros(lanes / Lanes.COUNT));
    }

    /** Module variables whose addresses a launch must bring, in this order. */
    public List<String> symbols() {
        return symbols;
    }

    public List<Parameter> parameters() {
        return parameters;
    }

    public int parameterBytes() {
        return parameterBytes;
    }

    /** Static shared memory, where dynamic shared memory starts. */
    public int sharedBytes() {
        return sharedBytes;
    }

    /** Of the static shared memory, what the device's own limit for programs leaves out. */
    public int reservedBytes() {
        return reservedBytes;
    }

    /** Whether it can tell that it runs in a cluster; else it is launched as if it did not. */
    public boolean knowsClusters() {
        return clusters;
    }

    /** What a thread needs of local memory when it calls no functions. */
    public int localBytes() {
        return scalar.frame();
    }

    /** Whether it calls functions or allocates on the stack, so that it needs one. */
    public boolean calls() {
        return calls;
    }

    /** Whether its threads may ask for memory of the heap. */
    public boolean allocates() {
        return allocates;
    }

    /** Whether it asks the device runtime for something, such as a launch. */
    public boolean usesRuntime() {
        return usesRuntime;
    }

    /** Whether its blocks wait for what they have launched. */
    public boolean waitsForLaunches() {
        return waitsForLaunches;
    }
}
