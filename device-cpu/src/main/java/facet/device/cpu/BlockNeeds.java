package facet.device.cpu;

import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.jit.CompiledKernel;
import facet.jit.emit.Emitter.Emitted;
import facet.ptx.Extent;

/**
 * Memory that the blocks of a launch need while they run.
 *
 * @param localPerThread bytes of local memory, which for kernels with calls is their stack
 * @param bytes of all blocks that run at once; reserved
 */
record BlockNeeds(int localPerThread, long bytes) {
    /** Of registers: more than a GPU's thread has are local memory there too. */
    private static final long MOST_REGISTER_BYTES = 255 * Integer.BYTES;

    /** A stack is as deep as there is room for, but not less than CUDA's usual one. */
    private static final int LEAST_STACK = 1024;

    private static final int SMALLER = 4;

    /** Throws {@link DeviceError#OUT_OF_MEMORY} when there is not so much. */
    static BlockNeeds reserve(
            CpuContext context, CompiledKernel kernel, int shared, int threads, int blocks) {
        int declared = Launches.align(kernel.localBytes());
        int stack = kernel.calls() ? context.options().localPerThread() : 0;
        long spilled = spilled(kernel.scalar());
        while (true) {
            int local = Math.max(declared, Launches.align(stack));
            long perBlock = Extent.sum(shared, Extent.product(Extent.sum(local, spilled), threads));
            long bytes = Extent.product(perBlock, blocks);
            boolean last = local == declared || stack <= LEAST_STACK;
            if (context.blockMemory().reserve(bytes, last)) {
                return new BlockNeeds(local, bytes);
            }
            if (last) {
                throw new DeviceException(
                        DeviceError.OUT_OF_MEMORY,
                        blocks
                                + " blocks of "
                                + kernel.name()
                                + " with "
                                + threads
                                + " threads each need "
                                + bytes
                                + " bytes of local and shared memory while they run");
            }
            stack /= SMALLER;
        }
    }

    /** Bytes of a thread's registers that do not fit in a GPU's. */
    private static long spilled(Emitted code) {
        long bytes = (long) code.intSlots() * Integer.BYTES + (long) code.longSlots() * Long.BYTES;
        return Math.max(0, bytes - MOST_REGISTER_BYTES);
    }
}
