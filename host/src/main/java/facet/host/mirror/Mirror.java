package facet.host.mirror;

import facet.device.Memory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps alike what is there twice: on the device, and in the image that a program maps. At the
 * points that CUDA defines nothing is missing on either side; while kernels run, what one side
 * writes comes to the other within milliseconds, all of it or nothing, but in the order of
 * addresses: who sees a flag does not yet see what lies behind it.
 *
 * <p>Offsets are those of the context's memory. Any thread.
 */
public final class Mirror implements AutoCloseable {
    private final Copies copies;
    private final LongConsumer bill;
    private final ConcurrentSkipListMap<Long, Range> ranges = new ConcurrentSkipListMap<>();

    /** Kernels that may write what nobody has looked at yet. */
    private volatile int running;

    /** Copies and fills that may, likewise. */
    private int writing;

    private volatile boolean closed;

    /** What a part of the image is for. */
    private static final class Range {
        private final long bytes;
        private final boolean staging;
        private boolean fresh;

        /**
         * @param staging data on its way: it is in the image alone
         * @param fresh the device has not seen it yet
         */
        private Range(long bytes, boolean staging, boolean fresh) {
            this.bytes = bytes;
            this.staging = staging;
            this.fresh = fresh;
        }
    }

    private Mirror(Copies copies, LongConsumer bill) {
        this.copies = copies;
        this.bill = bill;
    }

    /**
     * @param name for people who look at /proc/PID/maps
     * @param bill is told what looking on has cost, in nanoseconds of a processor
     */
    public static Mirror of(Memory device, String name, LongConsumer bill) throws IOException {
        return new Mirror(Copies.of(device, name), bill);
    }

    /** What the client is to map. */
    public int descriptor() {
        return copies.image().descriptor();
    }

    /** All of the image; the client may change it at any time. */
    public MemorySegment segment() {
        return copies.image().segment();
    }

    /** Bytes of the pages that the image has. */
    public long resident() {
        return copies.image().resident();
    }

    public long resident(long offset, long bytes) {
        return copies.image().resident(offset, bytes);
    }

    // ---- what is there twice

    /** The program has taken memory that it accesses by plain pointers. */
    public void share(long offset, long bytes) {
        ranges.put(offset, new Range(wholeWords(bytes), false, true));
    }

    /** Data on its way is in the image alone. */
    public void stage(long offset, long bytes) {
        ranges.put(offset, new Range(bytes, true, false));
    }

    /** The device has made something that the program accesses by plain pointers. */
    public synchronized void show(long offset, long bytes) throws IOException {
        copies.show(offset, bytes);
        ranges.put(offset, new Range(wholeWords(bytes), false, false));
    }

    /** It is gone; what it took of the image goes too. */
    public synchronized void hide(long offset, long bytes) {
        forget(offset);
        clear(offset, bytes);
    }

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

    /** Whether anything is there twice. */
    boolean hasShared() {
        for (Range each : ranges.values()) {
            if (!each.staging) {
                return true;
            }
        }
        return false;
    }

    private @Nullable Range at(long offset) {
        Map.Entry<Long, Range> entry = ranges.floorEntry(offset);
        return entry != null && offset - entry.getKey() < entry.getValue().bytes
                ? entry.getValue()
                : null;
    }

    /** Makes a range of the image read as zeros, when the device's does too. */
    public synchronized void clear(long offset, long bytes) {
        if (!closed) {
            copies.clear(offset, bytes);
        }
    }

    // ---- the points that CUDA defines

    /** A kernel is about to run. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // with the monitor; others only read
    void before() {
        synchronized (this) {
            try {
                exchangeAll(running > 0);
            } finally {
                running++;
            }
        }
        Pulse.include(this);
    }

    /** A kernel has ended. */
    @SuppressWarnings("NonAtomicVolatileUpdate")
    synchronized void after() {
        try {
            exchangeAll(true);
        } finally {
            running--;
        }
    }

    /** A copy or a fill is about to write on the device. */
    synchronized void beforeWrite(long offset, long bytes) {
        try {
            exchange(offset, bytes);
        } finally {
            writing++;
        }
    }

    /** It has ended. */
    synchronized void afterWrite(long offset, long bytes) {
        writing--;
        exchange(offset, bytes);
    }

    /** Bytes are about to be read on the device. */
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
            copies.begin(start, range.bytes);
        }
        long behind = start + range.bytes; // bounded: ranges lie in their context
        long end = Math.min(behind, wholeWords(Math.addExact(offset, bytes)));
        copies.exchange(offset / Long.BYTES * Long.BYTES, end, both, running > 0 || writing > 0);
    }

    // ---- meanwhile

    boolean isRunning() {
        return running > 0 && !closed;
    }

    void bill(long nanos) {
        bill.accept(nanos);
    }

    /**
     * Looks at both sides while kernels run; says whether to come again.
     *
     * @param first used for the looks, as is the second
     */
    synchronized boolean lookOn(Notes first, Notes second) {
        if (!isRunning()) {
            return false;
        }
        note(first, copies::noteHost);
        note(second, copies::noteHost);
        if (first.agreeWith(second)) {
            copies.tellDevice(first);
        }
        note(first, copies::noteDevice);
        note(second, copies::noteDevice);
        if (first.agreeWith(second)) {
            copies.tellHost(first);
        }
        return true;
    }

    private interface Look {
        void at(long from, long end, Notes notes);
    }

    private void note(Notes notes, Look look) {
        notes.clear();
        ranges.forEach((offset, range) -> {
            if (!range.staging && !range.fresh) {
                look.at(offset, offset + range.bytes, notes);
            }
        });
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            copies.close();
        }
    }
}
