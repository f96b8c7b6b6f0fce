package facet.device.cpu;

import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.device.DeviceProfile;
import facet.device.Launch;
import facet.jit.CompiledKernel;
import facet.jit.runtime.ClusterShape;
import facet.jit.runtime.Grid;
import facet.jit.runtime.PeerWindows;
import facet.jit.runtime.RuntimeError;
import facet.jit.runtime.Shape;
import facet.jit.texture.TextureTable;
import facet.ptx.Extent;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** From a launch as asked for to one that can run: checks, limits, layout of memory. */
final class Launches {
    private static final int ALIGNMENT = 32;

    /** Programs use few shapes; one that uses all there are must not fill the heap with them. */
    private static final int MOST_SHAPES = 512;

    /** Bytes of all registers that a block keeps: 64 KiB for each of 1024 threads. */
    private static final long MOST_REGISTERS = 64 << 20;

    private static final Map<Launch.Dim, Shape> SHAPES = new ConcurrentHashMap<>();

    private Launches() {}

    /**
     * @param asked what it may access when it was asked for before; null: as it is now
     */
    static QueuedLaunch prepare(CpuContext context, Launch launch, @Nullable CpuAccess asked) {
        CpuKernel kernel = kernel(context, launch);
        if (asked != null && asked.context() != context) {
            throw new DeviceException(
                    DeviceError.INVALID_VALUE, "what it may access is of another context");
        }
        if (kernel.compiled().allocates()) {
            context.heap().prepare();
        }
        return prepare(kernel, launch, asked, null, false);
    }

    /** Of a launch that a kernel has made: it reaches what that one does. */
    static QueuedLaunch prepareChild(
            CpuContext context, Launch launch, NestedRun parent, boolean tail) {
        return prepare(kernel(context, launch), launch, parent.access(), parent, tail);
    }

    /** Why a kernel cannot launch it; it is looked at again when it begins. */
    static RuntimeError refusal(ChildLaunch child) {
        CpuKernel kernel = child.kernel();
        DeviceProfile profile = kernel.context().device().profile();
        Launch launch =
                new Launch(
                        kernel,
                        child.grid(),
                        child.block(),
                        child.dynamicShared(),
                        false,
                        null,
                        new byte[0]);
        try {
            checkShape(launch, profile);
            shared(launch, kernel.compiled(), profile);
        } catch (DeviceException e) {
            return RuntimeError.INVALID_CONFIGURATION;
        }
        try {
            kernel.limits().check(kernel.name(), launch.block());
            checkRegisters(kernel.compiled(), shape(launch.block()), cluster(kernel, launch));
        } catch (DeviceException e) {
            return RuntimeError.LAUNCH_OUT_OF_RESOURCES;
        }
        return RuntimeError.SUCCESS;
    }

    private static CpuKernel kernel(CpuContext context, Launch launch) {
        if (!(launch.kernel() instanceof CpuKernel kernel) || kernel.context() != context) {
            throw new DeviceException(
                    DeviceError.INVALID_VALUE,
                    "kernel " + launch.kernel().name() + " is of another context");
        }
        return kernel;
    }

    private static ClusterShape cluster(CpuKernel kernel, Launch launch) {
        ClusterShape named =
                kernel.clusters().shape(kernel.name(), launch.grid(), launch.cluster());
        return kernel.compiled().knowsClusters() ? named : ClusterShape.NONE;
    }

    private static QueuedLaunch prepare(
            CpuKernel kernel,
            Launch launch,
            @Nullable CpuAccess asked,
            @Nullable NestedRun parent,
            boolean tail) {
        CpuContext context = kernel.context();
        CompiledKernel compiled = kernel.compiled();
        DeviceProfile profile = context.device().profile();
        checkShape(launch, profile);
        kernel.limits().check(kernel.name(), launch.block());
        if (launch.arguments().length != compiled.parameterBytes()) {
            throw new DeviceException(
                    DeviceError.INVALID_VALUE,
                    compiled.name()
                            + " takes "
                            + compiled.parameterBytes()
                            + " bytes of arguments, not "
                            + launch.arguments().length);
        }
        int shared = shared(launch, compiled, profile);
        long blocks = launch.grid().count();
        Shape shape = shape(launch.block());
        ClusterShape cluster = cluster(kernel, launch);
        checkRegisters(compiled, shape, cluster);
        // One cluster fits on every device: a single thread runs its blocks.
        int capacity = Math.max(capacity(profile, shape, shared), cluster.blocks());
        if (launch.cooperative() && blocks > capacity) {
            throw new DeviceException(
                    DeviceError.COOPERATIVE_LAUNCH_TOO_LARGE,
                    blocks + " blocks, " + capacity + " fit on the device at once");
        }
        int running = (int) Math.min(blocks, runningAtOnce(context, compiled, cluster, capacity));
        BlockNeeds needs = BlockNeeds.reserve(context, compiled, shared, shape.threads, running);
        MemorySegment arguments = context.arguments().take(launch.arguments());
        long barrier;
        try {
            barrier = launch.cooperative() ? context.allocate(Arena.ALIGNMENT) : 0;
        } catch (DeviceException e) {
            context.blockMemory().forget(needs.bytes());
            context.arguments().give(arguments);
            throw e;
        }
        // What the launch may access is settled here, or was before: what is taken later it does
        // not reach, but for what the device itself has taken for it.
        long lowest = context.memory().lowest();
        long end = context.memory().end();
        PeerWindows windows = context.windows();
        TextureTable textures = context.textures();
        if (asked != null) {
            lowest = Math.min(lowest, asked.lowest());
            end = asked.end();
            windows = asked.windows();
            textures = asked.textures();
        }
        NestedRun nested = null;
        if (compiled.usesRuntime()) {
            nested =
                    parent == null
                            ? NestedRun.first(
                                    kernel, new CpuAccess(context, lowest, end, windows, textures))
                            : parent.child(kernel, tail);
        }
        Grid grid =
                new Grid(
                        lowest,
                        end - lowest,
                        context.memory().delta(),
                        windows,
                        textures,
                        arguments.address(),
                        align(compiled.parameterBytes()),
                        kernel.symbols(),
                        barrier,
                        launch.grid().x(),
                        launch.grid().y(),
                        launch.grid().z(),
                        shape,
                        shared,
                        launch.dynamicShared(),
                        needs.localPerThread(),
                        profile.multiprocessors(),
                        context.device().nextLaunch(),
                        cluster,
                        nested == null ? context : new NestedServices(context, nested));
        return new QueuedLaunch(
                context,
                compiled,
                grid,
                blocks,
                capacity,
                needs.bytes(),
                arguments,
                barrier,
                kernel.pace(),
                nested,
                parent != null && parent.isAwaited());
    }

    /** Blocks that have memory at the same time: those that wait for others keep theirs. */
    private static int runningAtOnce(
            CpuContext context, CompiledKernel kernel, ClusterShape cluster, int capacity) {
        int seats = Math.multiplyExact(context.device().seats().count(), cluster.blocks());
        return kernel.scalar().spins() ? Math.max(capacity, seats) : seats;
    }

    private static Shape shape(Launch.Dim block) {
        if (SHAPES.size() >= MOST_SHAPES && !SHAPES.containsKey(block)) {
            SHAPES.clear();
        }
        return SHAPES.computeIfAbsent(block, dim -> new Shape(dim.x(), dim.y(), dim.z()));
    }

    /** What was held against a limit before; an aligned access that starts inside ends inside. */
    static int align(int bytes) {
        return Math.toIntExact(Extent.align(bytes, ALIGNMENT));
    }

    private static int shared(Launch launch, CompiledKernel compiled, DeviceProfile profile) {
        int most = Math.max(profile.sharedPerBlockOptin(), profile.sharedPerBlock());
        int dynamic = launch.dynamicShared();
        long needed = dynamic < 0 ? Extent.BEYOND : Extent.sum(compiled.sharedBytes(), dynamic);
        if (dynamic > profile.sharedPerBlockOptin()
                || Extent.align(needed, ALIGNMENT) > Extent.sum(most, compiled.reservedBytes())) {
            throw new DeviceException(
                    DeviceError.INVALID_VALUE,
                    "a block of "
                            + compiled.name()
                            + " needs "
                            + compiled.sharedBytes()
                            + " and "
                            + Integer.toUnsignedString(dynamic)
                            + " bytes of shared memory, the device has "
                            + profile.sharedPerBlockOptin());
        }
        return align((int) needed);
    }

    /** Registers that threads keep between regions are on the daemon's heap. */
    private static void checkRegisters(CompiledKernel compiled, Shape shape, ClusterShape cluster) {
        long each =
                Extent.sum(
                        Extent.product(compiled.scalar().intSlots(), Integer.BYTES),
                        Extent.product(compiled.scalar().longSlots(), Long.BYTES));
        long threads = Extent.product(shape.threads, cluster.blocks());
        if (Extent.product(each, threads) > MOST_REGISTERS) {
            throw new DeviceException(
                    DeviceError.LAUNCH_OUT_OF_RESOURCES,
                    "a thread of "
                            + compiled.name()
                            + " keeps "
                            + each
                            + " bytes of registers at barriers; all of a block or cluster have "
                            + MOST_REGISTERS);
        }
    }

    private static void checkShape(Launch launch, DeviceProfile profile) {
        Launch.Dim grid = launch.grid();
        Launch.Dim block = launch.block();
        boolean valid =
                grid.x() > 0
                        && grid.y() > 0
                        && grid.z() > 0
                        && grid.y() <= 65_535
                        && grid.z() <= 65_535
                        && block.x() > 0
                        && block.y() > 0
                        && block.z() > 0
                        && block.x() <= 1024
                        && block.y() <= 1024
                        && block.z() <= 64
                        && block.count() <= profile.maxThreadsPerBlock();
        if (!valid) {
            throw new DeviceException(
                    DeviceError.INVALID_VALUE,
                    "grid "
                            + grid
                            + " of blocks "
                            + block
                            + "; a block has 1 to "
                            + profile.maxThreadsPerBlock()
                            + " threads");
        }
    }

    /** Blocks that fit on the device at once, by threads, shared memory and the limit per SM. */
    static int capacity(DeviceProfile profile, Shape shape, int shared) {
        int perMultiprocessor =
                Math.min(
                        profile.maxBlocksPerMultiprocessor(),
                        profile.maxThreadsPerMultiprocessor() / ((shape.threads + 31) / 32 * 32));
        if (shared > 0) {
            perMultiprocessor =
                    Math.min(perMultiprocessor, profile.sharedPerMultiprocessor() / shared);
        }
        return Math.max(1, perMultiprocessor) * profile.multiprocessors();
    }
}
