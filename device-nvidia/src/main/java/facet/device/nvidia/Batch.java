package facet.device.nvidia;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Work that was given to the driver in one go, between two marks; or what is to be done when all
 * before it has ended. Of the thread that fills it, and then of the one that waits for it.
 */
final class Batch {
    private static final int MOST = 64;

    /** What is to be done in this place; null: it is work of the device. */
    final @Nullable Runnable action;

    private final List<Object> kept = new ArrayList<>();
    private Marks.@Nullable Mark start;
    private Marks.@Nullable Mark end;
    private @Nullable NvidiaKernel kernel;
    private boolean mixed;
    private long blocks;
    private long expected;
    private int count;

    private Batch(@Nullable Runnable action) {
        this.action = action;
    }

    static Batch of(Runnable action) {
        return new Batch(action);
    }

    static Batch begin(Marks marks, long stream) {
        Batch made = new Batch(null);
        Marks.Mark start = marks.next();
        start.record(stream);
        made.start = start;
        return made;
    }

    /** Something that must stay until the work has ended. */
    void keep(Object needed) {
        kept.add(needed);
    }

    void add() {
        count++;
        mixed = true;
    }

    @SuppressWarnings("ReferenceEquality") // a kernel is itself
    void add(NvidiaKernel launched, long itsBlocks) {
        mixed |= count++ > 0 && launched != kernel;
        kernel = launched;
        blocks += itsBlocks;
        expected += launched.pace().estimate(itsBlocks);
    }

    /** Whether others are to have a chance before more is given to the device. */
    boolean isFull() {
        return count >= MOST || expected >= BlockPace.PART_NANOS;
    }

    void close(Marks marks, long stream) {
        Marks.Mark last = marks.next();
        last.record(stream);
        end = last;
    }

    /** Waits until it has ended; success, or what went wrong. */
    int await() {
        Marks.Mark last = end;
        return last == null ? 0 : last.await();
    }

    /** When it has ended well: how long it took the device. */
    long measure() {
        if (start == null || end == null) {
            return 0;
        }
        long nanos = Math.max(0, end.nanosSince(start));
        if (!mixed && kernel != null) {
            kernel.pace().measured(blocks, nanos);
        }
        return nanos;
    }
}
