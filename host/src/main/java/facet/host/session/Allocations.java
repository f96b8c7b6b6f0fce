package facet.host.session;

import facet.abi.Constants;
import facet.host.share.Segment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a client has taken of a context. Changed by the session's thread, read by any. */
final class Allocations {
    private static final int MOST = 1 << 20;
    private static final long PAGE = 4096;

    /** One allocation. */
    record Allocation(long address, long bytes, int kind) {
        /** Whether it counts against the slice. */
        boolean isCounted() {
            return kind == Constants.MEMORY_DEVICE || kind == Constants.MEMORY_MANAGED;
        }

        /** Whether it is the program's on all its devices. */
        boolean isShared() {
            return kind == Constants.MEMORY_MANAGED || kind == Constants.MEMORY_PINNED;
        }
    }

    private final Map<Long, Allocation> taken = new HashMap<>();
    private final long[] byKind = new long[Constants.MEMORY_STAGING + 1];

    /** Those that all contexts of the program may touch. */
    private final Map<Long, Allocation> shared = new HashMap<>();

    /** Those that other sessions of the slice may open. */
    private final Map<Long, Segment> opened = new HashMap<>();

    /** Another one whenever those have changed. */
    private long sharedVersion;

    synchronized void add(Allocation allocation) {
        if (taken.size() == MOST) {
            throw new ProtocolViolation("more than " + MOST + " allocations");
        }
        if (taken.putIfAbsent(allocation.address(), allocation) != null) {
            throw new ProtocolViolation("memory that is taken is taken again");
        }
        byKind[allocation.kind()] += allocation.bytes();
        if (allocation.isShared()) {
            shared.put(allocation.address(), allocation);
            sharedVersion++;
        }
    }

    /** The allocation that begins there; null when there is none. */
    synchronized @Nullable Allocation at(long address) {
        return taken.get(address);
    }

    /** Other sessions may open it from now on. False when it is gone. */
    synchronized boolean open(long address, Segment segment) {
        if (!taken.containsKey(address)) {
            return false;
        }
        opened.put(address, segment);
        return true;
    }

    /** What other sessions know it by; null when they do not. */
    synchronized @Nullable Segment opened(long address) {
        return opened.get(address);
    }

    /** Nobody else has it open any more. */
    synchronized void close(long address) {
        opened.remove(address);
    }

    /** All that others may have open. */
    synchronized List<Segment> opened() {
        return List.copyOf(opened.values());
    }

    synchronized Allocation remove(long address) {
        if (opened.containsKey(address)) {
            throw new ProtocolViolation("memory is freed that others may have open");
        }
        Allocation allocation = taken.remove(address);
        if (allocation == null) {
            throw new ProtocolViolation(
                    "0x" + Long.toHexString(address) + " is freed, but was not taken");
        }
        byKind[allocation.kind()] -= allocation.bytes();
        if (allocation.isShared()) {
            shared.remove(address);
            sharedVersion++;
        }
        return allocation;
    }

    /** The context has ended, and may be known for a while to those who have some of it open. */
    synchronized void forgetAll() {
        taken.clear();
        shared.clear();
    }

    synchronized List<Allocation> shared() {
        return List.copyOf(shared.values());
    }

    synchronized long sharedVersion() {
        return sharedVersion;
    }

    /** How many there are. */
    synchronized int size() {
        return taken.size();
    }

    /** Bytes that count against the slice. */
    synchronized long counted() {
        return byKind[Constants.MEMORY_DEVICE] + byKind[Constants.MEMORY_MANAGED];
    }

    /** Bytes of memory that is the program's own, and of data on its way. */
    synchronized long host() {
        return byKind[Constants.MEMORY_PINNED] + byKind[Constants.MEMORY_STAGING];
    }

    synchronized long of(int kind) {
        return byKind[kind];
    }

    /**
     * Bytes of the pages that allocations lie on: more than the allocations where those are small
     * and far apart. Looks at all of them.
     */
    long pages() {
        long[] starts;
        long[] ends;
        synchronized (this) {
            starts = new long[taken.size()];
            ends = new long[taken.size()];
            int i = 0;
            for (Allocation each : taken.values()) {
                starts[i] = each.address() / PAGE;
                // bounded: they lie in their context, below 2^47
                ends[i] = (each.address() + each.bytes() + PAGE - 1) / PAGE;
                i++;
            }
        }
        // They do not overlap, so both ends have the same order.
        Arrays.sort(starts);
        Arrays.sort(ends);
        long sum = 0;
        long behind = Long.MIN_VALUE;
        for (int i = 0; i < starts.length; i++) {
            sum += ends[i] - Math.max(starts[i], behind);
            behind = ends[i];
        }
        return sum * PAGE;
    }
}
