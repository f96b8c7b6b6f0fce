package facet.jit.runtime;

/** What a running kernel asks of its device. */
public interface Services {
    /**
     * Called every so often from loops: returns when the kernel may go on, throws {@link
     * KernelFault} when it is to end.
     */
    void poll();

    void print(String text);

    /** Device address of new memory from the kernels' heap, or 0. */
    long allocateFromHeap(long bytes);

    void freeToHeap(long address);

    /**
     * A thread has failed an assert. When this returns, the thread has exited and the others go on;
     * what it throws ends the launch.
     */
    default void assertFailed(Block block, KernelFault fault) {
        throw fault;
    }

    /** For kernels that ask the device runtime for something; others have none. */
    default NestedLaunches nested() {
        throw new IllegalStateException("this kernel asks the device runtime for nothing");
    }
}
