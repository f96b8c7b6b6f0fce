package facet.device.cpu;

import facet.jit.CompiledKernel;
import facet.jit.emit.Emitter.Emitted;
import org.jspecify.annotations.Nullable;

/**
 * What a worker has made to run a kernel. It is kept for the worker's next launch, which is mostly
 * of the same kernel: short launches would else spend much of their time making it, and the
 * collector with taking it away. Registers stay in it, so it is of one context.
 */
final class Runners {
    private static final ThreadLocal<@Nullable Runners> LAST = new ThreadLocal<>();

    private final CpuContext context;
    private final CompiledKernel kernel;
    private final CodeRunner scalar;
    private @Nullable CodeRunner rows;

    private Runners(CpuContext context, CompiledKernel kernel) {
        this.context = context;
        this.kernel = kernel;
        this.scalar = new CodeRunner(kernel.scalar());
    }

    static Runners take(CpuContext context, CompiledKernel kernel) {
        Runners last = LAST.get();
        if (last == null || last.context != context || last.kernel != kernel) {
            return new Runners(context, kernel);
        }
        LAST.set(null);
        return last;
    }

    /** Nobody uses it any more. */
    void give() {
        LAST.set(this);
    }

    CodeRunner scalar() {
        return scalar;
    }

    /**
     * @param code the kernel's, once it is made
     */
    CodeRunner rows(Emitted code) {
        CodeRunner made = rows;
        if (made == null || !made.runs(code)) {
            made = new CodeRunner(code);
            rows = made;
        }
        return made;
    }
}
