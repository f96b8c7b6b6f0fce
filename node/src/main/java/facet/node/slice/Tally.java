package facet.node.slice;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * What the sessions of a slice have of the process that hosts them, and their faults. One of these
 * is where the sessions are hosted. Any thread.
 */
public final class Tally {
    /** Bytes of heap that an object of a client takes at most: a stream, an event, a memory. */
    private static final long OBJECT_BYTES = 512;

    /** A slice gets no more of the heap for its objects than one part in so many. */
    private static final long PARTS = 8;

    private static final int LONGEST_TEXT = 500;

    private final Consumer<String> listener;
    private final long mostObjects;
    private final AtomicLong objects = new AtomicLong();
    private long faults;
    private String lastFault = "";

    public Tally() {
        this(fault -> {});
    }

    /**
     * @param listener is told of each fault
     */
    public Tally(Consumer<String> listener) {
        this(listener, Runtime.getRuntime().maxMemory() / PARTS / OBJECT_BYTES);
    }

    /**
     * @param mostObjects that its sessions may have in all
     */
    public Tally(Consumer<String> listener, long mostObjects) {
        this.listener = listener;
        this.mostObjects = mostObjects;
    }

    /** What a kernel or a client did that ended its context or its session. */
    public void fault(String text) {
        String kept = text.length() > LONGEST_TEXT ? text.substring(0, LONGEST_TEXT) : text;
        synchronized (this) {
            faults++;
            lastFault = kept;
        }
        listener.accept(kept);
    }

    public synchronized long faults() {
        return faults;
    }

    /** Empty when there was none. */
    public synchronized String lastFault() {
        return lastFault;
    }

    // ---- objects

    public long mostObjects() {
        return mostObjects;
    }

    /** Counts one more. False, and not counted, when the slice has too many. */
    public boolean addObject() {
        if (objects.incrementAndGet() > mostObjects) {
            objects.decrementAndGet();
            return false;
        }
        return true;
    }

    public void removeObjects(long count) {
        objects.addAndGet(-count);
    }

    public long objects() {
        return objects.get();
    }
}
