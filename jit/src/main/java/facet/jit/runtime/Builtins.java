package facet.jit.runtime;

import facet.jit.runtime.KernelFault.Cause;

/** Functions that the device provides to kernels, and the ways for a kernel to end early. */
public final class Builtins {
    /** What they count in a block's budget: how many instructions take as long, roughly. */
    private static final int PRINT_COST = 1_000;

    private static final int HEAP_COST = 100;

    /** Bytes of each text in the line of a failed assert. */
    private static final int LONGEST_TEXT = 1024;

    private Builtins() {}

    /** {@code vprintf}: returns the number of arguments, or -1 for a format it cannot print. */
    public static int print(Block block, int t, long format, long arguments) {
        StackRoom.demand();
        block.spendDeep(PRINT_COST);
        return DevicePrintf.print(block, t, format, arguments);
    }

    public static long allocate(Block block, int t, long bytes) {
        block.spendDeep(HEAP_COST);
        return block.grid.services().allocateFromHeap(bytes);
    }

    public static void free(Block block, int t, long address) {
        block.spendDeep(HEAP_COST);
        block.grid.services().freeToHeap(address);
    }

    /**
     * {@code cudaGraphSetConditional}: the handle is the address of the number that the graph looks
     * at.
     */
    public static void setConditional(Block block, int t, long handle, int value) {
        AccessUnsafe.putB32(Generic.resolveToWrite(block, t, handle, Integer.BYTES), value);
    }

    /** Worded as CUDA does: programs that look for failed asserts know this line. */
    public static void assertFailed(
            Block block,
            int t,
            long message,
            long file,
            int line,
            long function,
            long characterBytes) {
        Shape shape = block.grid.shape();
        String text =
                "%s:%d: %s: block: [%d,%d,%d], thread: [%d,%d,%d] Assertion `%s` failed."
                        .formatted(
                                Generic.string(block, t, file, LONGEST_TEXT),
                                line,
                                Generic.string(block, t, function, LONGEST_TEXT),
                                block.blockX,
                                block.blockY,
                                block.blockZ,
                                shape.threadX[t],
                                shape.threadY[t],
                                shape.threadZ[t],
                                Generic.string(block, t, message, LONGEST_TEXT));
        throw KernelFault.here(Cause.ASSERT, text).at(t);
    }

    public static KernelFault trap() {
        return KernelFault.here(Cause.TRAP, "trap");
    }

    public static KernelFault badCall(long pointer) {
        return KernelFault.here(
                Cause.ILLEGAL_ADDRESS,
                "call through 0x" + Long.toHexString(pointer) + ", which is no function");
    }

    /** Before a call passes arguments and at the start of every function: whether they fit. */
    public static void checkStack(Block block, int frame, int size) {
        if ((long) frame + size > block.grid.localBytes()) {
            throw stackOverflow(block);
        }
    }

    static KernelFault stackOverflow(Block block) {
        return KernelFault.here(
                Cause.STACK_OVERFLOW,
                "the stack of "
                        + block.grid.localBytes()
                        + " bytes is used up; raise the stack size"
                        + " limit of the context");
    }

    /**
     * {@code nanosleep}: lets other workers run; the bound is PTX's: twice the time, at most 1 ms.
     */
    public static void sleep(Block block, int nanoseconds) {
        Thread.onSpinWait();
        if (Integer.compareUnsigned(nanoseconds, 50_000) >= 0) {
            java.util.concurrent.locks.LockSupport.parkNanos(
                    Math.min(nanoseconds & 0xffff_ffffL, 1_000_000));
            block.spendDeep(Integer.MAX_VALUE);
        }
    }

    /** {@code exit} inside a function: unwinds to the region, which ends the thread. */
    public static ThreadExit exitThread() {
        return ThreadExit.INSTANCE;
    }
}
