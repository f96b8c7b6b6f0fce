package facet.device;

/**
 * Where a context has its memory, when somebody else chooses it: {@code [base, base + own)} is
 * given out by {@link Context#allocate}, what follows up to {@code base + size} by {@link
 * Context#allocateAt}. Kernels reach what lies between the lowest and the highest byte that is
 * taken, so both parts are to be filled from their border on.
 *
 * @param own bytes of the device's own part: module variables, heap
 * @param memory of the same device; outlives the context
 * @param owner of the memory
 */
public record AddressSpace(long base, long own, Memory memory, Owner owner) {
    /** Who lends the memory to the context. */
    public interface Owner {
        /**
         * Whether the device may have so many bytes of its own part for the kernels' heap. They are
         * given back with the context. Called on the thread that launches, and does not wait: where
         * room may come soon it throws {@link DeviceError#OUT_OF_MEMORY}, and the launch is to be
         * tried again.
         */
        boolean mayHaveHeap(long bytes);

        /**
         * Whether the device may have so many bytes more of its memory for blocks that run: local
         * memory above all. Called on the thread that launches, and does not wait.
         *
         * @param needed whether the launch is refused when it may not; else it asks for less
         */
        boolean mayHaveBlockMemory(long bytes, boolean needed);

        /** Gives back what blocks had. Any thread. */
        void giveBlockMemory(long bytes);
    }
}
