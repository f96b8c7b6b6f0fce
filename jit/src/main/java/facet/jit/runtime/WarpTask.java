package facet.jit.runtime;

/**
 * What the threads of a warp do together when it is more than a value of each lane: matrices. Tasks
 * that do the same in the same registers are equal.
 */
public interface WarpTask {
    /**
     * @param first thread of the warp
     * @param end behind its last thread; there may be fewer than 32
     * @param living lanes that wait for it
     * @param line of the PTX text, for faults
     */
    void perform(Block block, int first, int end, int living, int line);
}
