package facet.pool.relay;

import facet.abi.Constants;
import java.util.HashMap;
import java.util.Map;

/** A context as the node of its device knows it. */
final class FarContext extends RelayedContext {
    /** Bytes that the slice's ledger counts, by address; for the thread that takes commands. */
    private final Map<Long, Long> counted = new HashMap<>();

    // ---- what the other side was told last
    int fault;
    long retired;
    long used;
    long returned;
    long busy;

    FarContext(int device, long base) {
        super(device, base);
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

    @Override
    void addVariable(SharedRanges there, long offset, long bytes) {
        there.add(offset, bytes, false);
    }

    @Override
    long ended() {
        return retired;
    }
}
