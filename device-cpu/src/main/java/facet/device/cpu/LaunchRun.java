package facet.device.cpu;

import facet.device.cpu.foreign.MappingUnsafe;
import facet.jit.CompiledKernel;
import facet.jit.emit.Emitter.Emitted;
import facet.jit.runtime.Block;
import facet.jit.runtime.BlockRunner;
import facet.jit.runtime.Grid;
import facet.jit.runtime.KernelFault;
import facet.jit.runtime.Site;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A launch while it runs. Workers join, take blocks one after the other, and leave; the last to leave
 * a finished launch ends it. A block whose threads all spin is set aside, so that the blocks it waits
 * for get their turn.
 */
final class LaunchRun {
    private final CpuContext context;
    private final CompiledKernel kernel;
    private final Emitted code;
    private final Grid grid;
    private final long blocks;
    private final int capacity;
    private final Runnable release;
    private final AtomicLong next = new AtomicLong();
    private final AtomicLong done = new AtomicLong();
    private final AtomicInteger participants = new AtomicInteger();
    private final AtomicInteger resident = new AtomicInteger();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final ConcurrentLinkedQueue<Resident> yielded = new ConcurrentLinkedQueue<>();
    private volatile boolean aborted;
    private Runnable onEnd = () -> {};

    /** A block with its memory. */
    private record Resident(Block block, MappingUnsafe memory) {}

    /**
     * @param capacity how many blocks may be under way at once
     * @param release gives back what the launch borrowed
     */
    LaunchRun(
            CpuContext context,
            CompiledKernel kernel,
            Grid grid,
            long blocks,
            int capacity,
            Runnable release) {
        this.context = context;
        this.kernel = kernel;
        this.code = kernel.code(grid.shape(), blocks * grid.shape().threads);
        this.grid = grid;
        this.blocks = blocks;
        this.capacity = capacity;
        this.release = release;
    }

    /** Starts on this worker and asks others to help; {@code whenEnded} is called once. */
    void begin(Runnable whenEnded) {
        onEnd = whenEnded;
        Workers workers = context.device().workers();
        long helpers = Math.min(workers.count(), blocks) - 1;
        for (int i = 0; i < helpers; i++) {
            workers.submit(this::join);
        }
        join();
    }

    /** Never begun: a fault of the context came first. */
    void discard() {
        release.run();
    }

    private void join() {
        participants.incrementAndGet();
        try {
            if (!ended.get() && context.control().enter(this::join)) {
                long start = System.nanoTime();
                try {
                    work();
                } catch (Throwable e) {
                    aborted = true;
                    Faults.report(context, kernel, grid, e);
                } finally {
                    context.control().leave();
                    context.addDeviceNanos(System.nanoTime() - start);
                }
            }
        } finally {
            leave();
        }
    }

    private void leave() {
        boolean complete = aborted || done.get() == blocks;
        if (participants.decrementAndGet() == 0 && complete && ended.compareAndSet(false, true)) {
            for (Resident each = yielded.poll(); each != null; each = yielded.poll()) {
                each.memory().close();
            }
            release.run();
            onEnd.run();
        }
    }

    private void work() {
        BlockRunner runner =
                new BlockRunner(
                        code.code(), code.sites().toArray(Site[]::new), code.regions(), code.spins());
        Resident current = null;
        try {
            while (!aborted) {
                if (context.control().wantsAttention()) {
                    context.control().attend();
                }
                Resident waiting = resident.get() >= capacity || next.get() >= blocks ? yielded.poll() : null;
                if (waiting != null) {
                    if (current != null) {
                        Scratch.give(context, current.memory());
                    }
                    current = waiting;
                } else {
                    long number = next.get() < blocks ? next.getAndIncrement() : blocks;
                    if (number >= blocks) {
                        return;
                    }
                    if (current == null) {
                        current = make();
                    }
                    resident.incrementAndGet();
                    current.block().begin(number);
                    current.block().multiprocessor = (int) (number % grid.multiprocessors());
                }
                if (run(runner, current.block())) {
                    resident.decrementAndGet();
                    done.incrementAndGet();
                } else {
                    yielded.add(current);
                    current = null;
                    Thread.onSpinWait();
                }
            }
        } finally {
            if (current != null) {
                Scratch.give(context, current.memory());
            }
        }
    }

    private static boolean run(BlockRunner runner, Block block) {
        try {
            return runner.run(block);
        } catch (KernelFault fault) {
            throw new BlockFault(block, fault);
        } catch (StackOverflowError e) {
            throw new BlockFault(
                    block,
                    new KernelFault(KernelFault.Cause.STACK_OVERFLOW, "recursion is too deep", 0));
        }
    }

    private Resident make() {
        long local = (long) grid.localBytes() * grid.shape().threads;
        MappingUnsafe memory = Scratch.take(context, grid.sharedBytes() + local);
        Block block =
                new Block(
                        grid,
                        code.intSlots(),
                        code.longSlots(),
                        memory.address(),
                        memory.address() + grid.sharedBytes());
        return new Resident(block, memory);
    }

    /** Tells which block a fault came from. */
    static final class BlockFault extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final transient Block block;
        private final KernelFault fault;

        BlockFault(Block block, KernelFault fault) {
            super(fault);
            this.block = block;
            this.fault = fault;
        }

        Block block() {
            return block;
        }

        KernelFault fault() {
            return fault;
        }
    }
}
