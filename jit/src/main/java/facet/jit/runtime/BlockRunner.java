package facet.jit.runtime;

import facet.jit.runtime.Site.Operation;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Runs a block: region after region for all threads that are there, then barriers and warp
 * operations, until every thread has exited or all that are left spin.
 */
public final class BlockRunner {
    /** In a kernel that may spin: runs of regions before a warp or block lets others go on. */
    private static final int ROUNDS = 256;

    /** Likewise: how often the warps of a block take turns before other blocks get theirs. */
    private static final int PASSES = 64;

    /** In a kernel whose lanes keep step: rounds of a warp before one that waits is let ahead. */
    private static final int ROUNDS_IN_STEP = 1 << 20;

    private final KernelCode code;
    private final Site[] sites;
    private final WarpOperations warps;
    private final NamedBarriers barriers;
    private final boolean warpwise;

    /** Whether there is one region and nobody waits: the kernel is a plain loop over threads. */
    private final boolean plain;

    /** For each site the barrier that all threads of a block open by reaching it, or -1. */
    private final int[] opens;

    private boolean training;
    private @Nullable KernelCode others;
    private long rowNanos;
    private long rowsDone;
    private int turn;

    /** Whether a loop may wait for another thread, even one that leaves its region each time. */
    private final boolean spins;

    /** Whether lanes of a warp keep step where no instruction makes them meet. */
    private final boolean inStep;

    private final BitSet storing;

    private final boolean hasClusters;

    /** Threads of a row that vector code does at once. */
    private final int lanes;

    /** Rounds since lanes that keep step were last let go alone. */
    private int roundsInStep;

    /** Whether a group of the current pass could have gone on. */
    private boolean paused;

    /**
     * @param inStep whether lanes of a warp keep step where no instruction makes them meet
     * @param storing regions that may change memory
     * @param lanes threads of a row that vector code does at once
     */
    public BlockRunner(
            KernelCode code,
            Site[] sites,
            int regions,
            boolean spins,
            boolean inStep,
            BitSet storing,
            int lanes) {
        this.code = code;
        this.lanes = lanes;
        this.sites = sites;
        this.warps = new WarpOperations(sites);
        this.barriers = new NamedBarriers(sites);
        this.plain = sites.length == 0 && regions == 1 && !spins;
        this.opens = new int[sites.length];
        this.spins = spins;
        this.inStep = inStep;
        this.storing = storing;
        boolean anyWarp = inStep;
        boolean clusters = false;
        for (int i = 0; i < sites.length; i++) {
            anyWarp |= sites[i].operation().isWarp();
            clusters |= sites[i].operation() == Operation.CLUSTER_WAIT;
            clusters |= sites[i].operation() == Operation.CLUSTER_ARRIVE;
            opens[i] = NamedBarriers.opened(sites[i]);
        }
        this.warpwise = anyWarp;
        this.hasClusters = clusters;
    }

    /**
     * From now on vector code does one row of each region, and scalar code the others.
     *
     * @param scalar what does the others: the same regions, with the same places for registers and
     *     the same sites, in code that was warm before; null where there is none
     */
    public void train(boolean on, @Nullable KernelCode scalar) {
        training = on;
        others = scalar;
        rowNanos = 0;
        rowsDone = 0;
    }

    /** What a row took in the mean since training was switched on; 0 when there was none. */
    public double rowNanos() {
        return rowsDone == 0 ? 0 : (double) rowNanos / rowsDone;
    }

    public long rowsDone() {
        return rowsDone;
    }

    /**
     * A thread that fails an assert has exited. The others go on, one at a time: each of them may
     * fail it, too.
     */
    private void execute(int region, Block block, int first, int end) {
        // Short regions do not poll, and neither does what threads do to meet.
        block.spend(end - first);
        try {
            executeAll(region, block, first, end);
        } catch (KernelFault fault) {
            int next = afterAssert(block, fault);
            while (next < end) {
                try {
                    runOthers(region, block, next, end);
                    return;
                } catch (KernelFault another) {
                    next = afterAssert(block, another);
                }
            }
        }
    }

    /** The thread behind the one that failed an assert; every other fault is thrown on. */
    private int afterAssert(Block block, KernelFault fault) {
        int thread = fault.thread();
        if (fault.reason() != KernelFault.Cause.ASSERT || thread < 0) {
            throw fault;
        }
        block.grid.services().assertFailed(block, fault);
        block.gathered = Block.APART;
        if (!plain) { // whose threads have no state
            block.state[thread] = Block.EXITED;
        }
        return thread + 1;
    }

    private void executeAll(int region, Block block, int first, int end) {
        int rows = (end - first) / lanes;
        if (!training || rows < 1) {
            code.run(region, block, first, end);
            return;
        }
        int row = first + (turn++ & 0x7fff_ffff) % rows * lanes;
        runOthers(region, block, first, row);
        long start = System.nanoTime();
        code.run(region, block, row, row + lanes);
        rowNanos += System.nanoTime() - start;
        rowsDone++;
        runOthers(region, block, row + lanes, end);
    }

    private void runOthers(int region, Block block, int first, int end) {
        block.mix();
        if (others == null) {
            code.runScalar(region, block, first, end);
        } else {
            others.run(region, block, first, end);
        }
    }

    /** Goes on with the block; true when it has ended, false when it should give way to others. */
    public boolean run(Block block) {
        if (plain) {
            execute(0, block, 0, block.threads);
            return true;
        }
        if (!block.started) {
            block.started = true;
            Arrays.fill(block.state, 0);
            Arrays.fill(block.arrived, 0);
        }
        block.held = false;
        block.moved = false;
        int step = warpwise ? 32 : block.threads;
        int passes = 0;
        while (true) {
            if (!spins && runTogether(block)) {
                return true;
            }
            block.spend(block.threads);
            boolean moved = false;
            paused = false;
            int[] before = spins ? block.state.clone() : block.state;
            for (int first = 0; first < block.threads; first += step) {
                moved |= runGroup(block, first, Math.min(block.threads, first + step));
            }
            boolean released = releaseBarriers(block);
            block.moved |= moved || released;
            if (released) {
                if (spins && ++passes >= PASSES) {
                    return false;
                }
                continue;
            }
            int yielded = 0;
            int living = 0;
            boolean elsewhere = false;
            for (int t = 0; t < block.threads; t++) {
                int state = block.state[t];
                if (state != Block.EXITED) {
                    living++;
                    if (state >= Block.YIELDED) {
                        yielded++;
                        block.state[t] = state & ~Block.YIELDED;
                        elsewhere |= block.state[t] != before[t];
                    }
                }
            }
            if (living == 0) {
                return true;
            }
            // Threads that came to their loop only now: what they did may free others of the block.
            if ((paused || elsewhere) && ++passes < PASSES) {
                continue;
            }
            if (yielded > 0 || paused) {
                return false;
            }
            if (!moved) {
                block.held = hasClusters && ClusterBarrier.holds(block, sites);
                if (!block.held) {
                    throw deadlock(block);
                }
                return false;
            }
        }
    }

    /** As long as all threads are at one place: regions and barriers of the whole block. */
    private boolean runTogether(Block block) {
        int[] state = block.state;
        int common = common(state);
        while (common != Block.APART) {
            if (common == Block.EXITED) {
                return true;
            }
            if (common >= 0) {
                block.gathered = Block.UNTOLD;
                execute(common, block, 0, block.threads);
                block.moved = true;
                // Vector code tells where all of its rows are; else each thread is asked.
                int told = block.gathered;
                common = told == Block.UNTOLD || told == Block.APART ? common(state) : told;
                continue;
            }
            int opened = opens[~common];
            if (opened < 0 || block.arrived[opened] != 0) {
                return false;
            }
            common = sites[~common].next();
            Arrays.fill(state, common);
        }
        return false;
    }

    /** The state that all threads have, or {@link Block#APART}. */
    private static int common(int[] state) {
        int common = state[0];
        int difference = 0;
        for (int t = 0; t < state.length; t++) {
            difference |= state[t] ^ common;
        }
        return difference == 0 ? common : Block.APART;
    }

    /**
     * Runs the threads of a warp, or of the block, until all wait or it is time; whether any moved.
     */
    private boolean runGroup(Block block, int first, int end) {
        boolean moved = false;
        boolean stored = false;
        int[] state = block.state;
        for (int round = 0; !spins || round < ROUNDS; round++) {
            block.spend(end - first);
            int next = Integer.MAX_VALUE;
            for (int t = first; t < end; t++) {
                int s = state[t];
                if (s >= 0 && s < next) {
                    next = s;
                }
            }
            if (next < Block.YIELDED) {
                execute(next, block, first, end);
                moved = true;
                stored |= inStep && storing.get(next);
            } else if (!warpwise || !warps.fire(block, first, end)) {
                return moved;
            }
        }
        paused = true;
        if (!stored || goAlone()) {
            step(block, first, end);
        }
        return true;
    }

    /**
     * A warp that keeps step and stores is computing, and lanes that are ahead wait for the others
     * where their ways join again. Now and then one goes on all the same: it may be the one that
     * the others wait for.
     */
    private boolean goAlone() {
        roundsInStep += ROUNDS;
        if (roundsInStep < ROUNDS_IN_STEP) {
            return false;
        }
        roundsInStep = 0;
        return true;
    }

    /** Each thread that can run does one region: the first to go are not always the same. */
    private void step(Block block, int first, int end) {
        block.mix();
        for (int t = first; t < end; t++) {
            int s = block.state[t];
            if (s >= 0 && s < Block.YIELDED) {
                execute(s, block, t, t + 1);
            }
        }
    }

    private boolean releaseBarriers(Block block) {
        boolean clusters = hasClusters && ClusterBarrier.release(block, sites);
        return barriers.release(block) || clusters;
    }

    /** What a block ends with whose threads wait for what never comes. */
    public KernelFault deadlock(Block block) {
        StringBuilder text = new StringBuilder("threads wait for each other for ever:");
        int line = 0;
        int shown = 0;
        for (int t = 0; t < block.threads && shown < 4; t++) {
            int s = block.state[t];
            if (s < 0 && s != Block.EXITED) {
                Site site = sites[~s];
                if (site.line() != line) {
                    line = site.line();
                    shown++;
                    text.append(" thread ").append(t).append(" at ").append(site.operation());
                    text.append(" of line ").append(line).append(';');
                }
            }
        }
        text.append(" check that every thread of a barrier or member mask reaches it");
        return new KernelFault(KernelFault.Cause.DEADLOCK, text.toString(), line);
    }
}
