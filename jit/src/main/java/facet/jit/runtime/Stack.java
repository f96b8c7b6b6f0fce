package facet.jit.runtime;

/**
 * {@code alloca} and its like (PTX ISA 9.7.17): memory of a thread above the frame of the running
 * function. The stack pointer is {@link Block#stacks}, but never below the end of that frame, so
 * that neither kernels nor functions set it up.
 */
public final class Stack {
    /** Of frames. */
    private static final int ALIGNMENT = 32;

    private Stack() {}

    /** The stack pointer, when the frame ends at {@code end}. */
    public static int top(Block block, int t, int end) {
        return Math.max(block.stacks()[t], end);
    }

    /** Where the frame of a called function begins. */
    public static int frame(Block block, int t, int end) {
        return Math.min(top(block, t, end), Integer.MAX_VALUE - ALIGNMENT) + ALIGNMENT - 1
                & -ALIGNMENT;
    }

    /** Address in local memory of so many bytes. */
    public static long allocate(Block block, int t, int end, long bytes, int alignment) {
        long start = ((long) top(block, t, end) + alignment - 1) / alignment * alignment;
        long free = block.grid.localBytes() - start;
        if (free < 0 || Long.compareUnsigned(bytes, free) > 0) {
            throw Builtins.stackOverflow(block);
        }
        block.stacks()[t] = (int) (start + bytes);
        return start;
    }

    public static void restore(Block block, int t, int top) {
        block.stacks()[t] = top;
    }
}
