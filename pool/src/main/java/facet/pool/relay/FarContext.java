package facet.pool.relay;

import facet.abi.Constants;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A context as the node of its device knows it. */
final class FarContext implements AutoCloseable {
    private final int device;
    private final long base;

    /** Bytes that the slice's ledger counts, by address; for the thread that takes commands. */
    private final Map<Long, Long> counted = new HashMap<>();

    private final Map<Integer, List<Long>> variables = new HashMap<>();
    private volatile @Nullable SharedRanges memory;
    private volatile long posted;

    // ---- what the other side was told last
    int fault;
    long retired;
    long used;
    long returned;
    long busy;

    FarContext(int device, long base) {
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

    boolean holds(long address, long bytes) {
        SharedRanges there = memory;
        long offset = offset(address);
        return there != null
                && bytes >= 0
                && offset >= 0
                && offset <= there.segment().byteSize()
                && bytes <= there.segment().byteSize() - offset;
    }

    // ---- quota, as a client counts it

    /** Bytes that the ledger is to count more. */
    long allocate(long address, long bytes, int kind) {
        if (kind != Constants.MEMORY_DEVICE && kind != Constants.MEMORY_MANAGED
                || counted.putIfAbsent(address, bytes) != null) {
            return 0;
        }
        return bytes;
    }

    /** Bytes that it is to count less. */
    long free(long address) {
        Long bytes = counted.remove(address);
        return bytes == null ? 0 : bytes;
    }

    long freeAll() {
        long sum = counted.values().stream().mapToLong(Long::longValue).sum();
        counted.clear();
        return sum;
    }

    // ---- modules

    synchronized void loaded(int module, MemorySegment answer) {
        SharedRanges there = memory;
        List<Long> made = new ArrayList<>();
        for (ManagedVariables.Range each : ManagedVariables.in(answer)) {
            if (there != null && holds(each.address(), each.bytes())) {
                there.add(offset(each.address()), each.bytes(), false);
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
            gone.forEach(there::remove);
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    void posted() {
        posted = posted + 1;
    }

    /** Whether more was sent than the other side knows to have ended. */
    boolean isBusy() {
        return posted != retired;
    }

    @Override
    public void close() {
        SharedRanges there = memory;
        if (there != null) {
            there.close();
        }
    }
}
