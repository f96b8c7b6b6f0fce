package facet.host.ledger;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the sessions of a slice have of the process that hosts them, and their faults. One of these
 * is where the sessions are hosted. Any thread.
 */
public final class Tally {
    /** Bytes of heap that an object of a client takes at most: a stream, an event, a memory. */
    private static final long OBJECT_BYTES = 512;

    /** A slice gets no more of the heap for its objects than one part in so many. */
    private static final long PARTS = 8;

    /** Heap that a character of PTX takes as a module with compiled kernels; measured. */
    private static final long BYTES_PER_CHARACTER = 10;

    private static final int LONGEST_TEXT = 500;

    /** Of a core, and what is saved of it: for code that is rewritten. */
    private static final double REWRITING = 0.1;

    private static final long MOST_REWRITING = 10_000_000_000L;

    private volatile Listener listener;
    private final long mostObjects;
    private final OpenFiles files;
    private final AtomicLong objects = new AtomicLong();
    private long descriptors;

    /** Texts that the slice has modules of, and how many: the same text is compiled once. */
    private final Map<List<String>, Integer> code = new HashMap<>();

    private long faults;
    private String lastFault = "";
    private final UnsupportedCounts unsupported = new UnsupportedCounts();
    private final Allowance rewriting = new Allowance(REWRITING, MOST_REWRITING, System.nanoTime());

    /** Hears of faults. */
    public interface Listener {
        /**
         * @param session whose it is
         */
        void fault(int session, String text);
    }

    public Tally() {
        this((session, fault) -> {});
    }

    /**
     * @param listener is told of each fault
     */
    public Tally(Listener listener) {
        this(listener, Runtime.getRuntime().maxMemory() / PARTS / OBJECT_BYTES);
    }

    /**
     * @param mostObjects that its sessions may have in all
     */
    public Tally(Listener listener, long mostObjects) {
        this(listener, mostObjects, OpenFiles.ofProcess());
    }

    Tally(Listener listener, long mostObjects, OpenFiles files) {
        this.listener = listener;
        this.mostObjects = mostObjects;
        this.files = files;
    }

    /** What a kernel or a client did that ended its context or its session. */
    public void fault(int session, String text) {
        String kept = text.length() > LONGEST_TEXT ? text.substring(0, LONGEST_TEXT) : text;
        synchronized (this) {
            faults++;
            lastFault = kept;
        }
        listener.fault(session, kept);
    }

    /** Somebody else is told from now on. */
    public void listen(Listener other) {
        listener = other;
    }

    public synchronized long faults() {
        return faults;
    }

    /** Empty when there was none. */
    public synchronized String lastFault() {
        return lastFault;
    }

    /** What its programs asked for and did not get. */
    public UnsupportedCounts unsupported() {
        return unsupported;
    }

    /** Time for code that its programs have rewritten. */
    public Allowance rewriting() {
        return rewriting;
    }

    // ---- objects

    public long mostObjects() {
        return mostObjects;
    }

    /** Counts one more. False, and not counted, when the slice has too many. */
    public boolean addObject() {
        return addObjects(1);
    }

    private boolean addObjects(long count) {
        if (objects.addAndGet(count) > mostObjects) {
            objects.addAndGet(-count);
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

    // ---- code

    /** Before so many bytes of an image are looked at. False when the slice has too much. */
    public boolean beginImage(long bytes) {
        return addObjects(imageObjects(bytes));
    }

    public void endImage(long bytes) {
        removeObjects(imageObjects(bytes));
    }

    /** An image is copied, and becomes text. */
    private static long imageObjects(long bytes) {
        return 1 + 2 * bytes / OBJECT_BYTES;
    }

    /** Before a module is made of the texts. False when the slice has too much. */
    public synchronized boolean takeText(List<String> texts) {
        Integer present = code.get(texts);
        if (present == null && !addObjects(textObjects(texts))) {
            return false;
        }
        code.merge(texts, 1, Integer::sum);
        return true;
    }

    public synchronized void giveText(List<String> texts) {
        Integer left = code.computeIfPresent(texts, (key, count) -> count == 1 ? null : count - 1);
        if (left == null) {
            removeObjects(textObjects(texts));
        }
    }

    private static long textObjects(List<String> texts) {
        long length = texts.stream().mapToLong(String::length).sum();
        return 1 + length * BYTES_PER_CHARACTER / OBJECT_BYTES;
    }

    // ---- descriptors

    /** Before a session or a context opens files. False when the slice has too many. */
    public synchronized boolean takeDescriptors(int count) {
        if (!files.take(descriptors, count)) {
            return false;
        }
        descriptors += count;
        return true;
    }

    public synchronized void giveDescriptors(int count) {
        descriptors -= count;
        files.give(count);
    }
}
