package facet.host.share;

import facet.device.Device;
import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.device.Memory;
import facet.device.PhysicalMemory;
import facet.host.residency.ContextHolding;
import facet.host.residency.Later;
import facet.host.residency.Residency;
import facet.os.StitchedUnsafe;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a slice's segments on one device: a sparse file, which is there while there are
 * segments, or memory that the device maps. It never moves to host memory. All with the monitor of
 * the shares, unless it says otherwise.
 */
final class SegmentPool {
    /** There are more addresses than memory, so that what is there finds room side by side. */
    private static final long TIMES = 4;

    private final Shares shares;
    private final Device device;
    private final Residency residency;
    private final String slice;

    /** What is taken: offset to length. */
    private final TreeMap<Long, Long> taken = new TreeMap<>();

    private @Nullable Opened opened;

    /**
     * While there are segments.
     *
     * @param mapping null where the device maps them
     */
    private record Opened(
            Memory memory, Memory.@Nullable Mapping mapping, ContextHolding holding) {}

    SegmentPool(Shares shares, Device device, Residency residency, String slice) {
        this.shares = shares;
        this.device = device;
        this.residency = residency;
        this.slice = slice;
    }

    /** Where the first gap is that is large enough. */
    private long place(long bytes, long end) {
        long at = 0;
        for (Map.Entry<Long, Long> each : taken.entrySet()) {
            if (each.getKey() - at >= bytes) {
                return at;
            }
            at = each.getKey() + each.getValue();
        }
        if (end - at < bytes) {
            throw new DeviceException(
                    DeviceError.OUT_OF_MEMORY, "there are no addresses for " + bytes + " bytes");
        }
        return at;
    }

    Storage take(long bytes) {
        Opened open = opened == null ? open() : opened;
        boolean done = false;
        try {
            long offset = place(bytes, open.memory.bytes());
            Piece piece =
                    open.mapping == null
                            ? new Piece(open, offset, bytes, device.createPhysical(bytes))
                            : new Piece(open, offset, bytes, null);
            taken.put(offset, bytes);
            opened = open;
            done = true;
            return piece;
        } finally {
            if (!done && taken.isEmpty()) {
                close(open);
            }
        }
    }

    private Opened open() {
        long bytes =
                Math.multiplyExact(TIMES, device.profile().memory())
                        / Shares.GRANULE
                        * Shares.GRANULE;
        Memory memory = device.createMemory("facet-shared-" + slice, bytes);
        return new Opened(
                memory,
                memory.mapping().orElse(null),
                residency.admit(new PoolOccupant(slice), memory));
    }

    private void give(Opened open, long offset) {
        boolean last;
        synchronized (shares) {
            taken.remove(offset);
            last = taken.isEmpty();
            if (last) {
                opened = null;
            }
        }
        if (last) {
            close(open);
        }
    }

    private static void close(Opened open) {
        open.holding.end();
        open.memory.close();
    }

    /** One segment's. */
    private final class Piece implements Storage {
        private final Opened open;
        private final long offset;
        private final long bytes;
        private final @Nullable PhysicalMemory physical;

        Piece(Opened open, long offset, long bytes, @Nullable PhysicalMemory physical) {
            this.open = open;
            this.offset = offset;
            this.bytes = bytes;
            this.physical = physical;
        }

        @Override
        public Optional<PhysicalMemory> physical() {
            return Optional.ofNullable(physical);
        }

        private Memory.Mapping mapping() {
            return Objects.requireNonNull(open.mapping, "the device maps it");
        }

        @Override
        public MemorySegment memory(long at, long length) {
            return mapping().segment().asSlice(offset + at, length);
        }

        @Override
        public void whenThere(Later told) {
            open.holding.takeOwn(bytes);
            open.holding.whenThere(told);
        }

        @Override
        public Optional<StitchedUnsafe.Piece> piece(long at, long length) {
            return Optional.of(
                    new StitchedUnsafe.Piece(mapping().descriptor(), offset + at, length));
        }

        /** Any thread. The range is given to nobody before its pages have gone. */
        @Override
        public void drop() {
            if (physical == null) {
                open.memory.clear(offset, bytes);
            } else {
                physical.close();
            }
            open.holding.giveOwn(bytes);
            give(open, offset);
        }
    }
}
