package facet.pool.relay;

import facet.abi.Constants;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a program has allocated of the image of a context: managed, pinned and staging memory.
 * Device memory is on the other node. Any thread.
 */
final class ImageBook {
    private static final long PAGE = 4096;

    private final TreeMap<Long, Taken> taken = new TreeMap<>();
    private long counted;
    private long pinned;
    private long staging;

    private record Taken(long bytes, int kind) {}

    synchronized void put(long offset, long bytes, int kind) {
        remove(offset);
        taken.put(offset, new Taken(bytes, kind));
        add(kind, bytes);
    }

    synchronized void remove(long offset) {
        Taken gone = taken.remove(offset);
        if (gone != null) {
            add(gone.kind, -gone.bytes);
        }
    }

    /** Each lies in the image, and whoever takes more than that is ended before it overflows. */
    private void add(int kind, long bytes) {
        switch (kind) {
            case Constants.MEMORY_STAGING -> staging = Math.addExact(staging, bytes);
            case Constants.MEMORY_PINNED -> pinned = Math.addExact(pinned, bytes);
            default -> counted = Math.addExact(counted, bytes);
        }
    }

    /** Bytes that count against the slice. */
    synchronized long counted() {
        return counted;
    }

    synchronized long pinned() {
        return pinned;
    }

    synchronized long staging() {
        return staging;
    }

    /** Bytes of the pages that allocations lie on. */
    synchronized long pages() {
        long sum = 0;
        long behind = 0;
        for (Map.Entry<Long, Taken> each : taken.entrySet()) {
            // bounded: they lie in the image
            long start = Math.max(behind, each.getKey() / PAGE);
            long end = Math.ceilDiv(each.getKey() + each.getValue().bytes, PAGE);
            sum += Math.max(0, end - start);
            behind = Math.max(behind, end);
        }
        return sum * PAGE;
    }
}
