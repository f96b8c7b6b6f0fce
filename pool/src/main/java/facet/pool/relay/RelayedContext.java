package facet.pool.relay;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What both nodes know of a context: its memory, as far as they share it, and how much was sent.
 */
abstract class RelayedContext implements AutoCloseable {
    private final int device;
    private final long base;
    private final Map<Integer, List<Long>> variables = new HashMap<>();
    private volatile @Nullable SharedRanges memory;

    /** Asynchronous commands that were passed on; one thread writes. */
    private volatile long posted;

    RelayedContext(int device, long base) {
        this.device = device;
        this.base = base;
    }

    int device() {
        return device;
    }

    void attach(SharedRanges mapped) {
        memory = mapped;
    }

    @Nullable SharedRanges memory() {
        return memory;
    }

    long offset(long address) {
        return address - base;
    }

    /** Whether the range lies in what is shared. */
    boolean holds(long address, long bytes) {
        SharedRanges there = memory;
        long offset = offset(address);
        return there != null
                && bytes >= 0
                && offset >= 0
                && offset <= there.segment().byteSize()
                && bytes <= there.segment().byteSize() - offset;
    }

    // ---- modules

    /** A module's variable that the program accesses. */
    abstract void addVariable(SharedRanges there, long offset, long bytes);

    /** It is there no more. */
    void removedVariable(long offset) {}

    synchronized void loaded(int module, MemorySegment answer) {
        SharedRanges there = memory;
        List<Long> made = new ArrayList<>();
        for (ManagedVariables.Range each : ManagedVariables.in(answer)) {
            if (there != null && holds(each.address(), each.bytes())) {
                addVariable(there, offset(each.address()), each.bytes());
                made.add(offset(each.address()));
            }
        }
        if (!made.isEmpty()) {
            variables.put(module, made);
        }
    }

    synchronized void unloaded(int module) {
        List<Long> gone = variables.remove(module);
        SharedRanges there = memory;
        if (gone != null && there != null) {
            for (long each : gone) {
                there.remove(each);
                removedVariable(each);
            }
        }
    }

    // ---- how far it is

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    void posted() {
        posted = posted + 1;
    }

    /** Of those that were passed on, the ones that have ended, as far as this side knows. */
    abstract long ended();

    boolean isBusy() {
        return isBusy(ended());
    }

    /**
     * @param ended of those that were passed on
     */
    boolean isBusy(long ended) {
        return posted != ended;
    }

    @Override
    public void close() {
        SharedRanges there = memory;
        if (there != null) {
            there.close();
        }
    }
}
