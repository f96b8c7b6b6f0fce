package facet.pool.relay;

import facet.abi.Constants;
import facet.abi.CopyBox;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A context as the program's node knows it: an image of what the program accesses by plain
 * pointers, and which parts of it are for what.
 */
final class NearContext extends RelayedContext {
    private final int id;

    /** Data on its way, by offset. */
    private final TreeMap<Long, Long> staging = new TreeMap<>();

    private final ArrayDeque<Range> returning = new ArrayDeque<>();
    private final ImageBook book = new ImageBook();
    private long gone;

    /** Commands that have ended, as far as it was told. */
    private volatile long retired;

    /** What the host has taken there for itself. */
    private long used;

    NearContext(int id, int device, long base) {
        super(device, base);
        this.id = id;
    }

    int id() {
        return id;
    }

    // ---- what is where; for the thread that reads the program's commands

    void allocate(long address, long bytes, int kind, BulkLane bulk) throws IOException {
        if (kind != Constants.MEMORY_DEVICE) {
            book.put(offset(address), bytes, kind);
        }
        if (kind == Constants.MEMORY_STAGING) {
            staging.put(offset(address), bytes);
        } else if (kind != Constants.MEMORY_DEVICE) {
            share(offset(address), bytes, bulk);
        }
    }

    private void share(long offset, long bytes, BulkLane bulk) throws IOException {
        SharedRanges there = memory();
        if (there == null) {
            return;
        }
        there.add(offset, bytes, false);
        bulk.send(
                Messages.start(Messages.SHARE, id, offset, Long.BYTES).putLong(bytes).position(0));
    }

    void free(long address, BulkLane bulk) throws IOException {
        long offset = offset(address);
        staging.remove(offset);
        book.remove(offset);
        SharedRanges there = memory();
        if (there != null && there.remove(offset)) {
            bulk.send(Messages.start(Messages.UNSHARE, id, offset, 0).position(0));
        }
    }

    /** The staging memory that an address lies in; null when it is none. */
    private Map.@Nullable Entry<Long, Long> stagingAt(long address) {
        Map.Entry<Long, Long> entry = staging.floorEntry(offset(address));
        return entry != null && offset(address) - entry.getKey() < entry.getValue() ? entry : null;
    }

    boolean isStaging(long address) {
        return stagingAt(address) != null;
    }

    /** Both sides write it from now on, or when nobody says so. */
    void shareStaging(long address, BulkLane bulk) throws IOException {
        Map.Entry<Long, Long> entry = stagingAt(address);
        if (entry != null) {
            staging.remove(entry.getKey());
            share(entry.getKey(), entry.getValue(), bulk);
        }
    }

    /** Sends what a command reads from staging memory. */
    void send(long address, long bytes, BulkLane bulk) throws IOException {
        SharedRanges there = memory();
        if (there != null && bytes > 0 && holds(address, bytes)) {
            MemorySegment memory = there.segment();
            bulk.data(id, memory, offset(address), bytes);
        }
    }

    /** Bytes from the first to the last that a box names; -1 when no box is so large. */
    static long extent(CopyBox box) {
        try {
            return box.width() == 0 || box.height() == 0 || box.depth() == 0
                    ? 0
                    : Math.addExact(
                            Math.addExact(
                                    Math.multiplyExact(box.depth() - 1, box.sourceSlice()),
                                    Math.multiplyExact(box.height() - 1, box.sourcePitch())),
                            box.width());
        } catch (ArithmeticException e) {
            return -1; // the host there refuses it
        }
    }

    /** Pages of freed memory are to go, when the other side says that its own have. */
    synchronized void giveBack(long address, long bytes) {
        if (bytes > 0 && holds(address, bytes)) {
            returning.add(new Range(offset(address), bytes));
        } else {
            returning.add(new Range(0, 0));
        }
    }

    /** So many of them have gone there. */
    synchronized void returned(long count) {
        SharedRanges there = memory();
        for (; gone < count && !returning.isEmpty(); gone++) {
            Range range = returning.remove();
            if (there != null && range.bytes > 0) {
                there.clear(range.offset, range.bytes);
            }
        }
    }

    private record Range(long offset, long bytes) {}

    // ---- for those who look whether it uses more than it has

    ImageBook book() {
        return book;
    }

    /** Bytes of pages that the image has. */
    long resident() {
        SharedRanges there = memory();
        return there == null ? 0 : there.resident();
    }

    /** Bytes of pages that are about to be taken away. */
    synchronized long returning() {
        SharedRanges there = memory();
        long sum = 0;
        for (Range each : returning) {
            sum += there == null || each.bytes == 0 ? 0 : there.resident(each.offset, each.bytes);
        }
        return sum;
    }

    /** The other side shares it by itself. */
    @Override
    void addVariable(SharedRanges there, long offset, long bytes) {
        there.keep(offset, bytes);
        book.put(offset, bytes, Constants.MEMORY_MANAGED);
    }

    @Override
    void removedVariable(long offset) {
        book.remove(offset);
    }

    // ---- how far it is

    void retired(long count) {
        retired = count;
    }

    @Override
    long ended() {
        return retired;
    }

    /** Sets what the host has taken; says by how much that is more. */
    long used(long bytes) {
        long more = bytes - used;
        used = bytes;
        return more;
    }
}
