package facet.jit.runtime;

import facet.jit.texture.TextureUnit;
import org.jspecify.annotations.Nullable;

/**
 * One block of threads while it runs. Fields are public because generated code reads them.
 *
 * <p>{@code state} of a thread: the region it is to run next ({@code >= 0}), the same with {@link
 * #YIELDED} set when it gave way in a spin loop, {@code ~site} when it waits at a synchronisation
 * site, or {@link #EXITED}.
 *
 * <p>Registers that live across regions are kept by slot, all threads of a slot together: thread t
 * of slot s is at {@code s * threads + t}.
 */
public final class Block {
    public static final int EXITED = Integer.MIN_VALUE;
    public static final int YIELDED = 1 << 30;

    private static final int FIRST_QUANTUM = 20_000;

    /**
     * Instructions between two polls at most. What loops count is often more than they run, so this
     * is reached quickly; an instruction that takes long counts as several, see {@link #spend}.
     */
    private static final int MOST_QUANTUM = 1 << 20;

    public final int threads;
    public final int[] state;
    public final int[] ints;
    public final long[] longs;

    /** The launch that it is a block of now. */
    public Grid grid;

    /** Address in this process of the block's shared memory. */
    public long shared;

    /** The first shared address in kernels that know clusters, see {@link Clusters}; else 0. */
    public long sharedBase;

    /** What turns a shared address into one of this process. */
    public long sharedDelta;

    /** Which block of its cluster it is. */
    public int rank;

    /** Address in this process of thread 0's local memory; the others follow. */
    public long local;

    public int blockX;
    public int blockY;
    public int blockZ;

    /** Which multiprocessor the block pretends to run on. */
    public int multiprocessor;

    /**
     * Whether one thread at a time was run since the block began: then what vector code takes for
     * the same in all threads of a row may not be.
     */
    public boolean mixed;

    /** Of {@link #gathered}: no row has told yet, or threads are at several places. */
    static final int UNTOLD = Integer.MIN_VALUE + 1;

    static final int APART = Integer.MIN_VALUE + 2;

    /** The state in which all rows that vector code has done left their threads. */
    int gathered = APART;

    /** Instructions until the next poll. */
    public int budget;

    private int quantum;
    private long polled;

    /** Where each thread's stack ends in its local memory, above its frame; see {@link Stack}. */
    private int @Nullable [] stacks;

    private @Nullable TextureUnit textures;

    /** Whether threads have a state yet; a kernel of one region needs none. */
    boolean started;

    /** Arrivals at the 16 named barriers by {@code bar.arrive}, which do not wait. */
    final int[] arrived = new int[16];

    /** The blocks of its cluster by their ranks; itself, when it is alone. */
    Block[] members;

    /** Whether it stopped because all its threads wait for other blocks of its cluster. */
    boolean held;

    /** Whether any thread moved when it ran last. */
    boolean moved;

    /** How often each thread has arrived at the barrier of its cluster; null while none has. */
    private int @Nullable [] clusterArrivals;

    /** The last error of the device runtime in each thread; null while there is none. */
    private int @Nullable [] errors;

    public Block(Grid grid, int intSlots, int longSlots, long shared, long local) {
        this.grid = grid;
        this.threads = grid.shape().threads;
        this.state = new int[threads];
        this.ints = new int[Math.multiplyExact(intSlots, threads)];
        this.longs = new long[Math.multiplyExact(longSlots, threads)];
        this.members = new Block[] {this};
        enter(grid, shared, local);
    }

    /** Makes it a block of this launch, which has as many threads in a block. */
    public void enter(Grid launch, long sharedMemory, long localMemory) {
        grid = launch;
        shared = sharedMemory;
        sharedDelta = sharedMemory - sharedBase;
        local = localMemory;
        budget = FIRST_QUANTUM;
        quantum = FIRST_QUANTUM;
        polled = System.nanoTime();
    }

    /** Makes the block the one with this linear number in its grid. */
    public void begin(long number) {
        long row = number / grid.blocksX();
        blockX = (int) (number - row * grid.blocksX());
        blockY = (int) (row % grid.blocksY());
        blockZ = (int) (row / grid.blocksY());
        multiprocessor = (int) (number % grid.multiprocessors());
        restart();
    }

    /**
     * Makes it one of a cluster, for good.
     *
     * @param all of the cluster, in the order of their ranks
     */
    public void join(Block[] all, int place) {
        members = all;
        rank = place;
        sharedBase = Clusters.base(place);
        sharedDelta = shared - sharedBase;
    }

    /** Makes it the block of its rank in the cluster with this linear number. */
    public void beginInCluster(long number) {
        ClusterShape shape = grid.cluster();
        long clustersX = grid.blocksX() / shape.x();
        long clustersY = grid.blocksY() / shape.y();
        long row = number / clustersX;
        blockX = (int) (number - row * clustersX) * shape.x() + rank % shape.x();
        blockY = (int) (row % clustersY) * shape.y() + rank / shape.x() % shape.y();
        blockZ = (int) (row / clustersY) * shape.z() + rank / (shape.x() * shape.y());
        multiprocessor = (int) (number % grid.multiprocessors());
        restart();
    }

    /** Whether it waits for other blocks of its cluster, which only they can end. */
    public boolean isHeld() {
        return held;
    }

    /** Whether any of its threads moved when it ran last. */
    public boolean hasMoved() {
        return moved;
    }

    /** Makes it the one that follows: four divisions fewer, which small blocks feel. */
    public void advance() {
        if (++blockX == grid.blocksX()) {
            blockX = 0;
            if (++blockY == grid.blocksY()) {
                blockY = 0;
                blockZ++;
            }
        }
        if (++multiprocessor == grid.multiprocessors()) {
            multiprocessor = 0;
        }
        restart();
    }

    private void restart() {
        started = false;
        mixed = false;
        if (stacks != null) {
            java.util.Arrays.fill(stacks, 0);
        }
        if (clusterArrivals != null) {
            java.util.Arrays.fill(clusterArrivals, 0);
        }
        errors = null;
    }

    /** Notes the state in which vector code leaves the threads of a row. */
    public void gather(int left) {
        if (gathered != left) {
            gathered = gathered == UNTOLD ? left : APART;
        }
    }

    /** From now on one thread at a time is run: what rows have in common must be looked at. */
    public void mix() {
        mixed = true;
        gathered = APART;
    }

    /** Its number in the grid. */
    public long number() {
        return blockX
                + (long) grid.blocksX()
                        * (blockY + (long) grid.blocksY() * blockZ); // bounded: 2^63
    }

    /** Of a thread, from the device runtime; 0 when there is none. */
    int error(int t) {
        return errors == null ? 0 : errors[t];
    }

    void error(int t, int number) {
        if (errors == null) {
            errors = new int[threads];
        }
        errors[t] = number;
    }

    /** Made when first asked for: few kernels know clusters. */
    int[] clusterArrivals() {
        if (clusterArrivals == null) {
            clusterArrivals = new int[threads];
        }
        return clusterArrivals;
    }

    /** Made when first asked for: few kernels allocate on the stack. */
    int[] stacks() {
        if (stacks == null) {
            stacks = new int[threads];
        }
        return stacks;
    }

    /** Made when first asked for, as few kernels have textures. */
    public TextureUnit textures() {
        if (textures == null) {
            textures = new TextureUnit();
        }
        return textures;
    }

    /**
     * Called by generated code when the budget is used up. The next budget is chosen so that calls
     * are some 50 to 200 µs apart, whether the code is compiled yet or not.
     */
    public int poll() {
        long elapsed = System.nanoTime() - polled;
        if (elapsed < 50_000) {
            quantum = Math.min(quantum * 2, MOST_QUANTUM);
        } else if (elapsed > 200_000) {
            quantum = Math.max(quantum / 2, 500);
        }
        // It may wait here for long; that is not the code's time.
        grid.services().poll();
        polled = System.nanoTime();
        return quantum;
    }

    /**
     * The same from inside a function, which may have been called by itself many times: what a poll
     * does must not be left half done because the JVM's stack ends in it.
     */
    public int pollDeep() {
        StackRoom.demand();
        return poll();
    }

    /** Counts work that is not an instruction of a region: so many instructions' worth of time. */
    void spend(int instructions) {
        budget -= instructions;
        if (budget < 0) {
            budget = poll();
        }
    }

    /** The same for what functions may call. */
    void spendDeep(int instructions) {
        budget -= instructions;
        if (budget < 0) {
            budget = pollDeep();
        }
    }
}
