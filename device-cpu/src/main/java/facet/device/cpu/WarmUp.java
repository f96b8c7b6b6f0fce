package facet.device.cpu;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Compiles a small kernel in the background when the first device of the process is made, so that
 * the compiler's own classes are loaded when the first real kernel comes.
 */
final class WarmUp {
    private static final AtomicBoolean BEGUN = new AtomicBoolean();

    private WarmUp() {}

    static void begin() {
        if (BEGUN.compareAndSet(false, true)) {
            Thread.ofPlatform().daemon().name("facet-warm-up").start(WarmUp::run);
        }
    }

    private static void run() {
        ModuleCache.Entry entry = new ModuleCache.Entry(WarmKernel.PTX);
        entry.kernel(entry.module().kernels().getFirst());
    }
}
