package facet.jit.runtime;

/** For kernels that run without a device and ask nothing of one. */
public enum NoServices implements Services {
    NONE;

    @Override
    public void poll() {}

    @Override
    public void print(String text) {}

    @Override
    public long allocateFromHeap(long bytes) {
        return 0;
    }

    @Override
    public void freeToHeap(long address) {}
}
