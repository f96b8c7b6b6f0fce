package facet.node.session;

import facet.abi.Constants;
import java.util.HashMap;
import java.util.Map;

/** What a client has taken of a context. */
final class Allocations {
    private static final int MOST = 1 << 20;

    /** One allocation. */
    record Allocation(long address, long bytes, int kind) {
        /** Whether it counts against the slice. */
        boolean isCounted() {
            return kind == Constants.MEMORY_DEVICE || kind == Constants.MEMORY_MANAGED;
        }
    }

    private final Map<Long, Allocation> taken = new HashMap<>();
    private long counted;

    void add(Allocation allocation) {
        if (taken.size() == MOST) {
            throw new ProtocolViolation("more than " + MOST + " allocations");
        }
        if (taken.putIfAbsent(allocation.address(), allocation) != null) {
            throw new ProtocolViolation("memory that is taken is taken again");
        }
        if (allocation.isCounted()) {
            counted += allocation.bytes();
        }
    }

    Allocation remove(long address) {
        Allocation allocation = taken.remove(address);
        if (allocation == null) {
            throw new ProtocolViolation(
                    "0x" + Long.toHexString(address) + " is freed, but was not taken");
        }
        if (allocation.isCounted()) {
            counted -= allocation.bytes();
        }
        return allocation;
    }

    /** How many there are. */
    int size() {
        return taken.size();
    }

    /** Bytes that count against the slice. */
    long counted() {
        return counted;
    }
}
