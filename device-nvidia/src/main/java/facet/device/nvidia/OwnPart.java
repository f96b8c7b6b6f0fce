package facet.device.nvidia;

import facet.device.DeviceError;
import facet.device.DeviceException;
import java.util.Map;
import java.util.TreeMap;

/** Gives out the part of a context's addresses that is the device's own. Any thread. */
final class OwnPart {
    private static final long ALIGNMENT = 256;

    /** Offset to length of what is free. */
    private final TreeMap<Long, Long> free = new TreeMap<>();

    private final TreeMap<Long, Long> taken = new TreeMap<>();

    OwnPart(long bytes) {
        free.put(0L, bytes);
    }

    long rounded(long bytes) {
        return (Math.max(1, bytes) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }

    @SuppressWarnings("ModifyCollectionInEnhancedForLoop") // it returns at once
    synchronized long take(long bytes) {
        long wanted = rounded(bytes);
        for (Map.Entry<Long, Long> each : free.entrySet()) {
            if (each.getValue() >= wanted) {
                long offset = each.getKey();
                long left = each.getValue() - wanted;
                free.remove(offset);
                if (left > 0) {
                    free.put(offset + wanted, left);
                }
                taken.put(offset, wanted);
                return offset;
            }
        }
        throw new DeviceException(DeviceError.OUT_OF_MEMORY, "no addresses for " + bytes);
    }

    /** Nothing when it is not of this part. */
    synchronized void give(long offset) {
        Long bytes = taken.remove(offset);
        if (bytes == null) {
            return;
        }
        long start = offset;
        long length = bytes;
        Map.Entry<Long, Long> before = free.lowerEntry(offset);
        if (before != null && before.getKey() + before.getValue() == offset) {
            start = before.getKey();
            length += before.getValue();
            free.remove(start);
        }
        Long behind = free.remove(offset + bytes);
        free.put(start, length + (behind == null ? 0 : behind));
    }
}
