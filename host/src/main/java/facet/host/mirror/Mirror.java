package facet.host.mirror;

import facet.device.Memory;
import facet.os.SharedMemoryUnsafe;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Keeps alike what is there twice: on the device, and in the image that a program maps. A third
 * copy, the base, is what both had when they were last alike; so what each side has written since
 * is known byte by byte, and both may write at once as long as they do not write the same bytes.
 *
 * <p>Offsets are those of the context's memory. Any thread.
 */
public final class Mirror implements AutoCloseable {
    /** Exchanged at a time; a page of the system or more. */
    private static final long PIECE = 256 << 10;

    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private final Memory device;
    private final SharedMemoryUnsafe image;
    private final SharedMemoryUnsafe base;
    private final MemorySegment buffer = Arena.ofAuto().allocate(PIECE, Long.BYTES);
    private final ConcurrentSkipListMap<Long, Range> ranges = new ConcurrentSkipListMap<>();

    /** Kernels that may write what nobody has looked at yet. */
    private int running;

    private boolean stale;
    private boolean closed;

    /** What a part of the image is for. */
    private static final class Range {
        private final long bytes;
        private final boolean staging;

        /** The device has not seen it yet: whatever it has there is of no meaning. */
        private boolean fresh;

        private Range(long bytes, boolean staging, boolean fresh) {
            this.bytes = bytes;
            this.staging = staging;
            this.fresh = fresh;
        }
    }

    private Mirror(Memory device, SharedMemoryUnsafe image, SharedMemoryUnsafe base) {
        this.device = device;
        this.image = image;
        this.base = base;
    }

    /**
     * @param name for people who look at /proc/PID/maps
     */
    public static Mirror of(Memory device, String name) throws IOException {
        SharedMemoryUnsafe image = SharedMemoryUnsafe.create(name, device.bytes());
        try {
            return new Mirror(
                    device, image, SharedMemoryUnsafe.create(name + "-base", device.bytes()));
        } catch (IOException e) {
            image.close();
            throw e;
        }
    }

    /** What the client is to map. */
    public int descriptor() {
        return image.descriptor();
    }

    /** All of the image; the client may change it at any time. */
    public MemorySegment segment() {
        return image.segment();
    }

    /** Bytes of the pages that the image has. */
    public long resident() {
        return image.resident();
    }

    public long resident(long offset, long bytes) {
        return image.resident(offset, bytes);
    }

    // ---- what is there twice

    /** The program has taken memory that it accesses by plain pointers. */
    public void share(long offset, long bytes) {
        ranges.put(offset, new Range(bytes, false, true));
    }

    /** Data on its way is in the image alone. */
    public void stage(long offset, long bytes) {
        ranges.put(offset, new Range(bytes, true, false));
    }

    /** The device has made something that the program accesses by plain pointers. */
    public synchronized void show(long offset, long bytes) {
        MemorySegment shown = image.segment().asSlice(offset, bytes);
        device.read(offset, shown);
        base.segment().asSlice(offset, bytes).copyFrom(shown);
        ranges.put(offset, new Range(wholeWords(bytes), false, false));
    }

    /** Sizes of allocations are multiples of 256, those of variables are what they are. */
    private static long wholeWords(long bytes) {
        return Math.addExact(bytes, Long.BYTES - 1) / Long.BYTES * Long.BYTES;
    }

    /** Nobody uses what begins here any more; nothing when there is no such thing. */
    public void forget(long offset) {
        ranges.remove(offset);
    }

    /** Whether it is data on its way. */
    boolean isStaging(long offset) {
        Range range = at(offset);
        return range != null && range.staging;
    }

    /** Whether it is there twice. */
    boolean isShared(long offset) {
        Range range = at(offset);
        return range != null && !range.staging;
    }

    boolean isEmpty() {
        return ranges.isEmpty();
    }

    private @org.jspecify.annotations.Nullable Range at(long offset) {
        Map.Entry<Long, Range> entry = ranges.floorEntry(offset);
        return entry != null && offset - entry.getKey() < entry.getValue().bytes
                ? entry.getValue()
                : null;
    }

    /** Makes a range read as zeros on both sides. */
    public synchronized void clear(long offset, long bytes) {
        if (!closed) {
            image.punch(offset, bytes);
            base.punch(offset, bytes);
        }
    }

    // ---- exchanging

    /** A kernel is about to run. */
    synchronized void before() {
        exchangeAll(running > 0 || stale);
        running++;
    }

    /** A kernel has ended. */
    synchronized void after() {
        exchangeAll(true);
        running--;
        stale = running > 0;
    }

    /** Bytes are about to be read on the device, or have been written there. */
    synchronized void exchange(long offset, long bytes) {
        Map.Entry<Long, Range> entry = ranges.floorEntry(offset);
        if (entry != null && !entry.getValue().staging) {
            exchange(entry.getKey(), entry.getValue(), offset, bytes, true);
        }
    }

    private void exchangeAll(boolean both) {
        ranges.forEach((offset, range) -> {
            if (!range.staging) {
                exchange(offset, range, offset, range.bytes, both);
            }
        });
    }

    /**
     * @param both whether the device may have written
     */
    private void exchange(long start, Range range, long offset, long bytes, boolean both) {
        if (closed) {
            return;
        }
        if (range.fresh) {
            range.fresh = false;
            device.clear(start, range.bytes);
            base.punch(start, range.bytes);
        }
        long behind = start + range.bytes; // bounded: ranges lie in their context
        long end = Math.min(behind, offset + wholeWords(bytes) + Long.BYTES);
        for (long at = offset / Long.BYTES * Long.BYTES; at < end; at += PIECE) {
            exchangePiece(at, Math.min(PIECE, end - at), both);
        }
    }

    private void exchangePiece(long at, long bytes, boolean both) {
        if (image.resident(at, bytes) == 0 && device.resident(at, bytes) == 0) {
            return;
        }
        MemorySegment there = buffer.asSlice(0, bytes);
        MemorySegment known = base.segment().asSlice(at, bytes);
        MemorySegment here = image.segment().asSlice(at, bytes);
        if (both) {
            device.read(at, there);
            if (there.mismatch(known) < 0 && here.mismatch(known) < 0) {
                return;
            }
        } else if (here.mismatch(known) < 0) {
            return;
        } else {
            there.copyFrom(known);
        }
        merge(at, here, known, there);
    }

    /** Word by word; words that the host has written go to the device in runs. */
    private void merge(long at, MemorySegment here, MemorySegment known, MemorySegment there) {
        long bytes = here.byteSize();
        long begin = -1;
        for (long i = 0; i < bytes; i += Long.BYTES) {
            long device = there.get(ValueLayout.JAVA_LONG, i);
            long merged = merge(here, i, known.get(ValueLayout.JAVA_LONG, i), device);
            known.set(ValueLayout.JAVA_LONG, i, merged);
            if (merged != device) {
                there.set(ValueLayout.JAVA_LONG, i, merged);
                begin = begin < 0 ? i : begin;
            } else if (begin >= 0) {
                this.device.write(at + begin, there.asSlice(begin, i - begin));
                begin = -1;
            }
        }
        if (begin >= 0) {
            this.device.write(at + begin, there.asSlice(begin, bytes - begin));
        }
    }

    /** The program may write at any time: what it writes meanwhile is seen, now or next time. */
    private static long merge(MemorySegment here, long at, long known, long device) {
        while (true) {
            long host = (long) LONG.getVolatile(here, at);
            long merged = Merge.of(known, host, device);
            if (merged == host || LONG.compareAndSet(here, at, host, merged)) {
                return merged;
            }
        }
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            image.discard();
            base.close();
        }
    }
}
