package facet.device.cpu;

import facet.jit.Choice;
import facet.jit.CompiledKernel;
import facet.jit.RowCode;
import facet.jit.runtime.Block;
import facet.jit.runtime.BlockRunner;
import facet.jit.runtime.Grid;
import facet.jit.runtime.KernelCode;
import facet.jit.runtime.KernelFault;
import facet.os.MappingUnsafe;
import facet.ptx.Extent;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A launch while it runs. Workers join, take blocks one after the other, and leave; the last to
 * leave a finished launch ends it. A block whose threads all spin is set aside, so that the blocks
 * it waits for get their turn. Clusters are taken as a whole.
 */
final class LaunchRun {
    /** What was taken for short and still runs is not. */
    private static final long SHORT_NANOS = 30_000;

    /** A launch that takes so long is worth vector code, however few threads it has. */
    private static final long LONG_NANOS = 20_000_000;

    private final QueuedLaunch launch;
    private final CpuContext context;
    private final CompiledKernel kernel;
    private final Grid grid;
    private final long blocks;

    /** What workers take: blocks, or clusters. */
    private final long teams;

    private final Runnable onEnd;
    private final AtomicLong next = new AtomicLong();
    private final AtomicLong done = new AtomicLong();
    private final AtomicInteger participants = new AtomicInteger();
    private final AtomicInteger resident = new AtomicInteger();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final ConcurrentLinkedQueue<BlockTeam> yielded = new ConcurrentLinkedQueue<>();

    /** Helpers that may not have come yet. */
    private final ConcurrentLinkedQueue<Line.Piece> asked = new ConcurrentLinkedQueue<>();

    private volatile boolean aborted;
    private long began;

    /** Others that could help and were not asked: a short launch is over before they come. */
    private long helpers;

    /**
     * @param whenEnded is called once
     */
    LaunchRun(QueuedLaunch launch, Runnable whenEnded) {
        this.launch = launch;
        this.context = launch.context();
        this.kernel = launch.kernel();
        this.grid = launch.grid();
        this.blocks = launch.blocks();
        this.teams = blocks / grid.cluster().blocks();
        this.onEnd = whenEnded;
    }

    /** Starts on this worker and asks others to help. */
    void begin() {
        kernel.launched(grid.shape(), blocks * grid.shape().threads, this::makeLater);
        began = System.nanoTime();
        helpers = Math.min(context.device().seats().count(), teams) - 1;
        if (!launch.isShort()) {
            callHelpers();
        }
        participants.incrementAndGet();
        try {
            // Its stream has entered the context already.
            workGuarded();
        } finally {
            leave();
        }
    }

    private void makeLater(Runnable making) {
        context.compiles().later("facet-vector-code", making);
    }

    /** By the one thread that runs it so far, once. */
    private void callHelpers() {
        long missing = helpers;
        helpers = 0; // before they come and look
        for (; missing > 0; missing--) {
            callForHelp();
        }
    }

    private void callForHelp() {
        asked.add(context.submit(this::join));
    }

    /** The calling thread makes room and its work goes on behind all that waits now. */
    private void comeBack() {
        context.submit(this::join);
    }

    private void join() {
        participants.incrementAndGet();
        try {
            if (!ended.get() && context.control().enter(this::join)) {
                try {
                    workGuarded();
                } finally {
                    context.control().leave();
                }
            }
        } finally {
            leave();
        }
    }

    private void workGuarded() {
        try {
            work();
        } catch (Throwable e) {
            aborted = true;
            Faults.report(context, kernel, e);
        }
    }

    private void leave() {
        // Look at what is done only after leaving: who comes last then sees all of it.
        boolean last = participants.decrementAndGet() == 0;
        if (last && (aborted || done.get() == teams) && ended.compareAndSet(false, true)) {
            for (BlockTeam each = yielded.poll(); each != null; each = yielded.poll()) {
                closeAside(each);
            }
            if (context.assertions().isIn(grid.id())) {
                Faults.reportAssertions(context, kernel);
            }
            launch.release();
            launch.pace().took(launch.threads(), System.nanoTime() - began);
            for (Line.Piece each = asked.poll(); each != null; each = asked.poll()) {
                context.device().seats().withdraw(each);
            }
            onEnd.run();
        }
    }

    private void work() {
        if (kernel.scalar().spins() || blocks != teams) {
            workWaiting();
            return;
        }
        Runners runners = Runners.take(context, kernel);
        CodeRunner scalar = runners.scalar();
        CodeRunner rows = null;
        KernelCode others = null;
        RowCode code = kernel.rows(grid.shape());
        MappingUnsafe memory = takeMemory();
        int chunk = 1;
        boolean begun = false;
        long inScalar = 0;
        try {
            while (!aborted) {
                if (context.control().wantsAttention()) {
                    context.control().attend();
                }
                if (begun && (context.device().seats().mustGiveWay() || isCrowded())) {
                    comeBack();
                    return;
                }
                begun = true;
                long first = next.getAndAdd(chunk);
                long end = Math.min(first + chunk, blocks);
                if (first >= end) {
                    return;
                }
                if (rows == null && code != null) {
                    // It may be made while a long launch runs.
                    rows = code.code().map(runners::rows).orElse(null);
                    others = rows == null ? null : code.besideRows();
                }
                Choice.Mode mode =
                        rows == null || code == null ? Choice.Mode.SCALAR : code.choice().mode();
                CodeRunner used = mode == Choice.Mode.SCALAR || rows == null ? scalar : rows;
                used.runner().train(mode == Choice.Mode.TRAINING, others);
                Block block = used.block(grid, memory);
                long start = System.nanoTime();
                block.begin(first);
                run(used.runner(), block);
                for (long number = first + 1; number < end; number++) {
                    block.advance();
                    run(used.runner(), block);
                }
                long now = System.nanoTime();
                long nanos = now - start;
                done.addAndGet(end - first);
                if (helpers > 0 && now - began > SHORT_NANOS) {
                    callHelpers();
                }
                if (rows == null || code == null) {
                    inScalar += nanos;
                    if (inScalar > LONG_NANOS) {
                        kernel.takesLong(grid.shape(), this::makeLater);
                    }
                } else if (!code.choice().isSettled()) {
                    note(code.choice(), mode, used, nanos, (int) (end - first));
                }
                chunk = nextChunk(chunk, nanos, end);
            }
        } finally {
            Scratch.give(context, memory);
            runners.give();
        }
    }

    private void note(Choice choice, Choice.Mode mode, CodeRunner used, long nanos, int count) {
        BlockRunner runner = used.runner();
        switch (mode) {
            case SCALAR -> choice.scalar(nanos, count);
            case ROWS -> choice.rows(nanos, count);
            case TRAINING -> {
                // Each region that ran had one row of it done by vector code.
                double regions = (double) runner.rowsDone() / count;
                double share = regions * grid.shape().threads / used.lanes();
                choice.training(nanos, runner.rowNanos(), share);
            }
        }
    }

    /** Its own launches come before more of its blocks; those come after all that waits now. */
    private boolean isCrowded() {
        NestedRun nested = launch.nested();
        return nested != null && nested.hasUnfinished() && context.pendingLaunches().isCrowded();
    }

    /** Blocks to take at once: some 20 µs of them, fewer when the end is near. */
    private int nextChunk(int chunk, long nanos, long taken) {
        if (launch.nested() != null) {
            return 1;
        }
        long fair = Math.max(1, (blocks - taken) / (2L * context.device().seats().count()));
        int wanted = nanos < 10_000 ? chunk * 2 : nanos > 40_000 ? Math.max(1, chunk / 2) : chunk;
        return (int) Math.min(Math.min(wanted, 1024), fair);
    }

    /** For kernels whose blocks may wait for each other: what does is set aside. */
    private void workWaiting() {
        CodeRunner scalar = new CodeRunner(kernel.scalar());
        long most = Math.max(1, launch.capacity() / grid.cluster().blocks());
        BlockTeam team = null;
        boolean begun = false;
        try {
            while (!aborted) {
                if (context.control().wantsAttention()) {
                    context.control().attend();
                }
                if (begun && (context.device().seats().mustGiveWay() || waitsForLaunches())) {
                    comeBack();
                    return;
                }
                begun = true;
                BlockTeam waiting =
                        resident.get() >= most || next.get() >= teams ? yielded.poll() : null;
                if (waiting != null) {
                    finish(scalar, waiting);
                    continue;
                }
                long number = next.get() < teams ? next.getAndIncrement() : teams;
                if (number >= teams) {
                    return;
                }
                if (team == null) {
                    team = new BlockTeam(kernel.scalar(), grid, takeTeamMemory());
                }
                resident.incrementAndGet();
                team.begin(number);
                if (run(scalar.runner(), team)) {
                    resident.decrementAndGet();
                    done.incrementAndGet();
                } else if (context.device().setAside().take(context.control().share())) {
                    yielded.add(team);
                    team = null;
                    Thread.onSpinWait();
                } else {
                    aborted = true;
                    Faults.reportTooManyWait(context, kernel);
                }
            }
        } finally {
            if (team != null) {
                Scratch.give(context, team.memory());
            }
        }
    }

    /** Whether a block was set aside that may wait for what it has launched, which needs a seat. */
    private boolean waitsForLaunches() {
        NestedRun nested = launch.nested();
        return nested != null && nested.hasUnfinished() && !yielded.isEmpty() || isCrowded();
    }

    private void finish(CodeRunner scalar, BlockTeam waiting) {
        boolean over;
        try {
            over = run(scalar.runner(), waiting);
        } catch (Throwable e) {
            closeAside(waiting);
            throw e;
        }
        if (over) {
            resident.decrementAndGet();
            done.incrementAndGet();
            closeAside(waiting);
        } else {
            yielded.add(waiting);
            Thread.onSpinWait();
        }
    }

    /** One that was set aside has ended. */
    private void closeAside(BlockTeam team) {
        team.memory().close();
        context.device().setAside().give(context.control().share());
    }

    private MappingUnsafe takeTeamMemory() {
        return Scratch.take(context, BlockTeam.bytes(grid));
    }

    private MappingUnsafe takeMemory() {
        long local = Extent.product(grid.localBytes(), grid.shape().threads);
        return Scratch.take(context, Extent.sum(grid.sharedBytes(), local));
    }

    private boolean run(BlockRunner runner, Block block) {
        long since = resume();
        try {
            return runGuarded(runner, block);
        } finally {
            pause(since);
        }
    }

    private boolean run(BlockRunner runner, BlockTeam team) {
        long since = resume();
        try {
            return team.run(runner);
        } finally {
            pause(since);
        }
    }

    /** What blocks launch is held while they run: {@link HeldLaunches}. */
    private long resume() {
        NestedRun nested = launch.nested();
        return nested == null ? 0 : nested.held().run();
    }

    private void pause(long since) {
        NestedRun nested = launch.nested();
        if (nested != null) {
            nested.held().pause(since);
        }
    }

    /** Goes on with the block; what it throws then names it. */
    static boolean runGuarded(BlockRunner runner, Block block) {
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
