package facet.jit;

import facet.jit.emit.Emitter.Emitted;
import facet.jit.runtime.Lanes;
import facet.jit.runtime.Shape;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** A kernel as code, independent of any context. */
public final class CompiledKernel {
    /** Threads after which vector code is worth its warm-up; tests set 0 to have it at once. */
    private static final long WARM = Long.getLong("facet.rows.after", 64 << 10);

    /** Place of a parameter in the packed arguments. */
    public record Parameter(int offset, int bytes, int alignment) {}

    private final String name;
    private final Emitted scalar;
    private final Supplier<Optional<Emitted>> compileRows;
    private final List<String> symbols;
    private final List<Parameter> parameters;
    private final int parameterBytes;
    private final int sharedBytes;
    private final boolean calls;
    private final AtomicLong threads = new AtomicLong();
    private volatile @org.jspecify.annotations.Nullable Optional<Emitted> rows;

    CompiledKernel(
            String name,
            Emitted scalar,
            Supplier<Optional<Emitted>> compileRows,
            List<String> symbols,
            List<Parameter> parameters,
            int parameterBytes,
            int sharedBytes,
            boolean calls) {
        this.name = name;
        this.scalar = scalar;
        this.compileRows = compileRows;
        this.symbols = symbols;
        this.parameters = parameters;
        this.parameterBytes = parameterBytes;
        this.sharedBytes = sharedBytes;
        this.calls = calls;
    }

    public String name() {
        return name;
    }

    /** The code that suits a launch of so many threads, all counted that ran before. */
    public Emitted code(Shape shape, long launched) {
        if (shape.x % Lanes.COUNT != 0 || threads.addAndGet(launched) < WARM) {
            return scalar;
        }
        Optional<Emitted> known = rows;
        if (known == null) {
            synchronized (this) {
                known = rows;
                if (known == null) {
                    known = compileRows.get();
                    rows = known;
                }
            }
        }
        return known.orElse(scalar);
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

    /** What a thread needs of local memory when it calls no functions. */
    public int localBytes() {
        return scalar.frame();
    }

    /** Whether it calls functions or allocates on the stack, so that it needs one. */
    public boolean calls() {
        return calls;
    }
}
