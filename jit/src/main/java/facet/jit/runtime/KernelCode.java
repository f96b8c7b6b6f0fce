package facet.jit.runtime;

/** A compiled kernel. Generated classes implement it. */
public interface KernelCode {
    /**
     * Runs the region for those threads {@code [first, end)} of the block whose state names it,
     * each until it exits, waits, yields or leaves the region, and notes that in {@link
     * Block#state}.
     */
    void run(int region, Block block, int first, int end);

    /** The same, one thread at a time, where {@link #run} may take rows of threads. */
    void runScalar(int region, Block block, int first, int end);
}
