package facet.device.cpu;

import facet.device.Launch;
import facet.jit.runtime.Block;
import facet.jit.runtime.NestedLaunches;
import facet.jit.runtime.RuntimeError;
import facet.jit.runtime.RuntimeQueries;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the blocks of one launch have launched themselves. The launch has ended when its blocks have
 * and all of that; then come, one after the other, its tail launches.
 *
 * <p>Launches of a block's null stream follow each other, as do those of a stream that a kernel has
 * made; fire-and-forget launches wait for nothing. All of them are work of the context like any
 * other: on seats, charged, paused and stopped with it.
 *
 * <p>Its lock is taken before those of streams, and never held while something runs.
 */
final class NestedRun implements NestedLaunches {
    /** As deep as CUDA lets them be. */
    private static final int MOST_DEPTH = 24;

    // Streams that need not be made, by their handles.
    private static final long TAIL = 3;
    private static final long FIRE_AND_FORGET = 4;

    /** 0 is the null stream; 1 and 2, the host's names for it, mean the same in kernels. */
    private static final long LAST_NULL = 2;

    /** Of a block: its null stream, and how much of all that it has launched has not ended. */
    private static final class BlockWork {
        private final CpuStream stream;
        private int unfinished;

        BlockWork(CpuContext context) {
            stream = new CpuStream(context);
        }
    }

    private final CpuContext context;
    private final NestedKernels kernels;
    private final CpuAccess access;
    private final int depth;

    /** Whether a block of it, or above it, waits for what was launched. */
    private final boolean isAwaited;

    /** Whose tail it is: it has no tail of its own, but lengthens that one. */
    private final @Nullable NestedRun tailOf;

    private final NestedQueries queries;
    private final NestedStreams streams;
    private final NestedBuffers buffers;
    private final HeldLaunches held = new HeldLaunches();
    private final Map<Long, BlockWork> blocks = new HashMap<>();
    private ArrayDeque<ChildLaunch> tail = new ArrayDeque<>();
    private int unfinished;

    /** Null until the blocks have ended. */
    private @Nullable Runnable whenEnded;

    private boolean ended;

    private NestedRun(
            CpuKernel kernel,
            CpuAccess access,
            int depth,
            boolean awaited,
            @Nullable NestedRun tailOf) {
        this.context = kernel.context();
        this.kernels = kernel.nested();
        this.access = access;
        this.depth = depth;
        this.isAwaited = awaited || kernel.compiled().waitsForLaunches();
        this.tailOf = tailOf;
        this.queries = new NestedQueries(context, kernels);
        this.streams = new NestedStreams(context);
        this.buffers = new NestedBuffers(context.heap(), context.nestedObjects());
    }

    /** Of a launch by the host. */
    static NestedRun first(CpuKernel kernel, CpuAccess access) {
        return new NestedRun(kernel, access, 0, false, null);
    }

    /** Of a launch that one of this launch's kernels has made. */
    NestedRun child(CpuKernel kernel, boolean isTail) {
        if (!isTail) {
            return new NestedRun(kernel, access, depth + 1, isAwaited, null);
        }
        return new NestedRun(kernel, access, depth, isAwaited, tailOf == null ? this : tailOf);
    }

    /** What all launches below a launch reach is what it reaches. */
    CpuAccess access() {
        return access;
    }

    /** Whether blocks that have memory wait for what is launched here. */
    boolean isAwaited() {
        return isAwaited;
    }

    HeldLaunches held() {
        return held;
    }

    // ---- arguments

    @Override
    public long buffer(long bytes) {
        return bytes < 0 || bytes > ArgumentPool.LARGE ? 0 : buffers.make(bytes, null);
    }

    @Override
    public long buffer(long function, Sizes sizes) {
        NestedKernels.Entry entry = kernels.find(function);
        if (entry == null) {
            return RuntimeError.INVALID_DEVICE_FUNCTION.negative();
        }
        ChildLaunch launch = childOf(entry.kernel(), sizes, 0);
        RuntimeError error = Launches.refusal(launch);
        if (error != RuntimeError.SUCCESS) {
            return error.negative();
        }
        long buffer = buffers.make(entry.kernel().parameterBytes(), launch);
        return buffer == 0 ? RuntimeError.MEMORY_ALLOCATION.negative() : buffer;
    }

    private ChildLaunch childOf(CpuKernel kernel, Sizes sizes, long buffer) {
        return new ChildLaunch(
                this,
                kernel,
                new Launch.Dim(sizes.gridX(), sizes.gridY(), sizes.gridZ()),
                new Launch.Dim(sizes.blockX(), sizes.blockY(), sizes.blockZ()),
                sizes.shared(),
                buffer,
                false);
    }

    /** The arguments in it were taken. */
    void release(long buffer) {
        buffers.release(buffer);
    }

    // ---- launches

    @Override
    public int launch(Block block, long buffer, long stream) {
        NestedBuffers.Buffer known = buffers.take(buffer);
        if (known == null) {
            return RuntimeError.INVALID_VALUE.number();
        }
        if (known.launch() == null) {
            release(buffer);
            return RuntimeError.INVALID_VALUE.number();
        }
        return launch(block, known.launch(), buffer, stream);
    }

    @Override
    public int launch(Block block, long function, long buffer, Sizes sizes, long stream) {
        NestedBuffers.Buffer known = buffers.take(buffer);
        if (known == null) {
            return RuntimeError.INVALID_VALUE.number();
        }
        NestedKernels.Entry entry = kernels.find(function);
        RuntimeError error =
                entry == null
                        ? RuntimeError.INVALID_DEVICE_FUNCTION
                        : known.bytes() < entry.kernel().parameterBytes()
                                ? RuntimeError.INVALID_VALUE
                                : Launches.refusal(childOf(entry.kernel(), sizes, buffer));
        if (entry == null || error != RuntimeError.SUCCESS) {
            release(buffer);
            return error.number();
        }
        return launch(block, childOf(entry.kernel(), sizes, buffer), buffer, stream);
    }

    private int launch(Block block, ChildLaunch asked, long buffer, long stream) {
        ChildLaunch child =
                new ChildLaunch(
                        this,
                        asked.kernel(),
                        asked.grid(),
                        asked.block(),
                        asked.dynamicShared(),
                        buffer,
                        stream == TAIL);
        int error =
                depth >= MOST_DEPTH && stream != TAIL
                        ? RuntimeError.LAUNCH_MAX_DEPTH_EXCEEDED.number()
                        : stream == TAIL
                                ? append(child)
                                : start(block, stream, into -> into.submit(child));
        if (error != 0) {
            release(buffer);
        }
        return error;
    }

    private int append(ChildLaunch child) {
        if (!context.pendingLaunches().take()) {
            return RuntimeError.LAUNCH_PENDING_COUNT_EXCEEDED.number();
        }
        synchronized (this) {
            tail.add(child);
        }
        return 0;
    }

    /** Gives work to a stream, and counts it until it has ended. */
    private int start(Block block, long handle, Consumer<CpuStream> work) {
        if (!context.pendingLaunches().take()) {
            return RuntimeError.LAUNCH_PENDING_COUNT_EXCEEDED.number();
        }
        long number = block.number();
        CpuStream stream;
        synchronized (this) {
            BlockWork own = blocks.get(number);
            if (own == null) {
                own = new BlockWork(context);
            }
            stream =
                    handle >= 0 && handle <= LAST_NULL
                            ? own.stream
                            : handle == FIRE_AND_FORGET
                                    ? new CpuStream(context)
                                    : streams.stream(handle);
            if (stream != null) {
                blocks.put(number, own);
                own.unfinished++;
                unfinished++;
            }
        }
        if (stream == null) {
            context.pendingLaunches().give();
            return RuntimeError.INVALID_RESOURCE_HANDLE.number();
        }
        // Threads of the block come one after the other: the order is theirs.
        held.hold(() -> {
            work.accept(stream);
            stream.whenEnded(() -> ended(number));
        });
        return 0;
    }

    private void ended(long number) {
        context.pendingLaunches().give();
        synchronized (this) {
            BlockWork own = blocks.get(number);
            if (own != null && --own.unfinished == 0) {
                blocks.remove(number);
            }
            unfinished--;
        }
        goOn(false);
    }

    @Override
    public synchronized int unfinished(Block block) {
        BlockWork own = blocks.get(block.number());
        return own == null ? 0 : own.unfinished;
    }

    /** Whether something that was launched has not ended. */
    synchronized boolean hasUnfinished() {
        return unfinished > 0;
    }

    // ---- the end

    /**
     * The blocks of the launch have ended.
     *
     * @param action is called when all below it has ended too
     */
    void blocksEnded(Runnable action) {
        synchronized (this) {
            whenEnded = action;
        }
        goOn(true);
    }

    /**
     * @param here whether this is the thread that ended the last block, which goes on with what
     *     follows the launch; others are at the end of something else
     */
    private void goOn(boolean here) {
        ChildLaunch follows;
        Runnable action;
        synchronized (this) {
            action = whenEnded;
            if (action == null || unfinished > 0 || ended) {
                return;
            }
            if (tailOf != null) {
                tailOf.lengthen(tail);
                tail = new ArrayDeque<>();
            }
            follows = tail.poll();
            if (follows == null) {
                ended = true;
                streams.endAll();
            } else {
                unfinished++;
            }
        }
        if (follows != null) {
            CpuStream stream = new CpuStream(context);
            stream.submit(follows);
            stream.whenEnded(this::tailEnded);
            return;
        }
        buffers.releaseAll();
        if (here) {
            action.run();
        } else {
            context.submit(action);
        }
    }

    private void tailEnded() {
        context.pendingLaunches().give();
        synchronized (this) {
            unfinished--;
        }
        goOn(false);
    }

    /** What a tail launch has launched as its own tail comes before the rest. */
    private synchronized void lengthen(ArrayDeque<ChildLaunch> more) {
        more.addAll(tail);
        tail = more;
    }

    // ---- streams and events

    @Override
    public synchronized long createStream() {
        return streams.createStream();
    }

    @Override
    public synchronized int destroyStream(long stream) {
        return streams.destroyStream(stream);
    }

    @Override
    public synchronized long createEvent() {
        return streams.createEvent();
    }

    @Override
    public synchronized int destroyEvent(long event) {
        return streams.destroyEvent(event);
    }

    private synchronized @Nullable CpuEvent event(long handle) {
        return streams.event(handle);
    }

    @Override
    public int record(Block block, long event, long stream) {
        return withEvent(block, stream, event, CpuStream::record);
    }

    @Override
    public int await(Block block, long stream, long event) {
        return withEvent(block, stream, event, CpuStream::await);
    }

    private int withEvent(
            Block block, long stream, long event, BiConsumer<CpuStream, CpuEvent> work) {
        CpuEvent mark = event(event);
        return mark == null
                ? RuntimeError.INVALID_RESOURCE_HANDLE.number()
                : start(block, stream, into -> work.accept(into, mark));
    }

    // ---- memory

    @Override
    public int copy(Block block, Place destination, Place source, Extents extents, long stream) {
        return NestedCopies.copy(access, destination, source, extents)
                .map(work -> start(block, stream, work))
                .orElse(RuntimeError.INVALID_VALUE.number());
    }

    @Override
    public int fill(Block block, Place destination, int value, Extents extents, long stream) {
        return NestedCopies.fill(access, destination, value, extents)
                .map(work -> start(block, stream, work))
                .orElse(RuntimeError.INVALID_VALUE.number());
    }

    @Override
    public RuntimeQueries queries() {
        return queries;
    }
}
