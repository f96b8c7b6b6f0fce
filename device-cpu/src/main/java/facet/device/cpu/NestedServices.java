package facet.device.cpu;

import facet.jit.runtime.Block;
import facet.jit.runtime.KernelFault;
import facet.jit.runtime.NestedLaunches;
import facet.jit.runtime.Services;

/** What a kernel that launches others asks of its device: all but the launches, of the context. */
record NestedServices(CpuContext context, NestedRun launches) implements Services {
    @Override
    public NestedLaunches nested() {
        return launches;
    }

    @Override
    public void poll() {
        context.poll();
    }

    @Override
    public void print(String text) {
        context.print(text);
    }

    @Override
    public long allocateFromHeap(long bytes) {
        return context.allocateFromHeap(bytes);
    }

    @Override
    public void freeToHeap(long address) {
        context.freeToHeap(address);
    }

    @Override
    public void assertFailed(Block block, KernelFault fault) {
        context.assertFailed(block, fault);
    }
}
