package facet.device.cpu;

import facet.ptx.Extent;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Hands out ranges of {@code [0, size)}: best fit, neighbours joined on release. Not thread-safe.
 */
final class Arena {
    static final long ALIGNMENT = 256;

    /** Free ranges by offset, and for each length how many have it: the best fit is the ceiling. */
    private final TreeMap<Long, Long> free = new TreeMap<>();

    private final TreeMap<Long, TreeMap<Long, Boolean>> byLength = new TreeMap<>();
    private final Map<Long, Long> taken = new HashMap<>();
    private final long size;
    private long used;

    Arena(long size) {
        this.size = size / ALIGNMENT * ALIGNMENT;
        insert(0, this.size);
    }

    private void insert(long offset, long length) {
        if (length > 0) {
            free.put(offset, length);
            byLength.computeIfAbsent(length, each -> new TreeMap<>()).put(offset, true);
        }
    }

    private void remove(long offset, long length) {
        free.remove(offset);
        TreeMap<Long, Boolean> same = Objects.requireNonNull(byLength.get(length));
        same.remove(offset);
        if (same.isEmpty()) {
            byLength.remove(length);
        }
    }

    /** Offset of a range of at least this many bytes, empty when there is none. */
    OptionalLong allocate(long bytes) {
        if (bytes < 0 || bytes > Long.MAX_VALUE - ALIGNMENT) {
            return OptionalLong.empty();
        }
        long length = Extent.align(Math.max(1, bytes), ALIGNMENT);
        Map.Entry<Long, TreeMap<Long, Boolean>> best = byLength.ceilingEntry(length);
        if (best == null) {
            return OptionalLong.empty();
        }
        long offset = best.getValue().firstKey();
        long available = best.getKey();
        remove(offset, available);
        insert(offset + length, available - length); // bounded: by what was free
        taken.put(offset, length);
        used += length;
        return OptionalLong.of(offset);
    }

    /** Length of the range that was at the offset, empty when none was. */
    OptionalLong release(long offset) {
        Long length = taken.remove(offset);
        if (length == null) {
            return OptionalLong.empty();
        }
        used -= length;
        long start = offset;
        long joined = length;
        Map.Entry<Long, Long> before = free.lowerEntry(start);
        if (before != null && before.getKey() + before.getValue() == start) {
            remove(before.getKey(), before.getValue());
            start = before.getKey();
            joined += before.getValue();
        }
        Long after = free.get(start + joined);
        if (after != null) {
            remove(start + joined, after);
            joined += after;
        }
        insert(start, joined);
        return OptionalLong.of(length);
    }

    /** Bytes of the range that was handed out at the offset. */
    long length(long offset) {
        return Objects.requireNonNull(taken.get(offset));
    }

    /** Offset behind the last range that is taken; 0 when none is. */
    long highest() {
        Map.Entry<Long, Long> last = free.lastEntry();
        return last != null && last.getKey() + last.getValue() == size ? last.getKey() : size;
    }

    long used() {
        return used;
    }
}
