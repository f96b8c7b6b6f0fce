package facet.device.cpu;

import facet.device.DeviceProfile;
import facet.device.KernelInfo;
import facet.jit.runtime.RuntimeError;
import facet.jit.runtime.RuntimeQueries;
import facet.jit.runtime.Shape;
import facet.ptx.Extent;
import org.jspecify.annotations.Nullable;

/** What kernels of a module ask. */
final class NestedQueries implements RuntimeQueries {
    /** One more than the last attribute that is asked for by number. */
    static final int ATTRIBUTES = 148;

    // cudaLimit
    private static final int STACK = 0;
    private static final int HEAP = 2;
    private static final int SYNC_DEPTH = 3;
    private static final int PENDING = 4;

    /** Kernels may wait for kernels as deep as they may launch them. */
    private static final int DEPTH = 24;

    private final CpuContext context;
    private final NestedKernels kernels;

    NestedQueries(CpuContext context, NestedKernels kernels) {
        this.context = context;
        this.kernels = kernels;
    }

    @Override
    public long attribute(int attribute) {
        if (attribute < 1 || attribute >= ATTRIBUTES) {
            return RuntimeError.INVALID_VALUE.negative();
        }
        return context.device().ownAttributes()[attribute];
    }

    @Override
    public long limit(int limit) {
        return switch (limit) {
            case STACK -> context.options().localPerThread();
            case HEAP -> context.heap().bytes();
            case SYNC_DEPTH -> DEPTH;
            case PENDING -> context.pendingLaunches().limit();
            default -> RuntimeError.UNSUPPORTED_LIMIT.negative();
        };
    }

    @Override
    public @Nullable FunctionAttributes attributes(long function) {
        NestedKernels.Entry entry = kernels.find(function);
        if (entry == null) {
            return null;
        }
        KernelInfo info = entry.info();
        return new FunctionAttributes(
                info.staticShared(),
                info.constant(),
                info.local(),
                info.maxThreads(),
                info.registers(),
                context.device().profile().sharedPerBlock());
    }

    @Override
    public long occupancy(long function, int threads, long dynamicShared) {
        NestedKernels.Entry entry = kernels.find(function);
        DeviceProfile profile = context.device().profile();
        if (entry == null) {
            return RuntimeError.INVALID_DEVICE_FUNCTION.negative();
        }
        if (threads < 1 || dynamicShared < 0) {
            return RuntimeError.INVALID_VALUE.negative();
        }
        long shared = Extent.sum(entry.info().staticShared(), dynamicShared);
        if (threads > entry.info().maxThreads() || shared > profile.sharedPerMultiprocessor()) {
            return 0;
        }
        return Launches.capacity(profile, new Shape(threads, 1, 1), (int) shared)
                / profile.multiprocessors();
    }
}
