package facet.pool.content;

import facet.os.SharedMemoryUnsafe;
import facet.os.SystemCallException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Pieces of data that programs of other nodes have sent here, for when they send them again. There
 * is a bound for all of them; who has most gives up what it has not used for longest, so a slice
 * that sends much takes room from itself before it takes any from others.
 */
public final class ContentStore implements AutoCloseable {
    public static final long USUAL_BYTES = 1L << 30;

    /** Of a piece at most. */
    public static final int PIECE = 256 << 10;

    private final SharedMemoryUnsafe memory;
    private final BitSet taken = new BitSet();
    private final int places;
    private final Map<Name, Shelf> shelves = new HashMap<>();
    private long hits;
    private long misses;
    private boolean closed;

    private record Name(long high, long low) {}

    private record Place(int number, int bytes) {}

    /**
     * @param mostBytes memory is taken when there is something to keep
     */
    public ContentStore(long mostBytes) throws SystemCallException {
        places = Math.toIntExact(Math.max(1, mostBytes / PIECE));
        memory = SharedMemoryUnsafe.create("facet-content", (long) places * PIECE);
    }

    /**
     * What is kept for somebody.
     *
     * @param owner for people: whose slice it is
     */
    public record Use(String owner, int pieces, long bytes) {}

    /** By owner; the most first. */
    public synchronized List<Use> uses() {
        List<Use> all = new ArrayList<>();
        for (Shelf each : shelves.values()) {
            all.add(new Use(each.owner, each.pieces.size(), each.bytes));
        }
        all.sort(java.util.Comparator.comparingLong(Use::bytes).reversed());
        return all;
    }

    /** All that it keeps. */
    public synchronized long bytes() {
        return shelves.values().stream().mapToLong(each -> each.bytes).sum();
    }

    /** How often what was named was here, and how often it was not. */
    public synchronized long[] found() {
        return new long[] {hits, misses};
    }

    /**
     * The part of it that is somebody's.
     *
     * @param high its name, which nobody else knows
     */
    public synchronized Shelf shelf(long high, long low, String owner) {
        Name name = new Name(high, low);
        Shelf known = shelves.get(name);
        // A shelf is in the table while something is on it, so names alone cost nothing.
        return known != null ? known : new Shelf(name, owner);
    }

    /** Takes data where it lies. */
    public interface Reader {
        void read(MemorySegment data) throws java.io.IOException;
    }

    /** What was sent by one slice of another node. */
    public final class Shelf {
        private final Name name;
        private final String owner;
        private final LinkedHashMap<Tag, Place> pieces = new LinkedHashMap<>(16, 0.75f, true);
        private long bytes;

        private Shelf(Name name, String owner) {
            this.name = name;
            this.owner = owner;
        }

        /** Keeps a piece, and gives up others when there is no room. */
        public void keep(Tag tag, MemorySegment data) {
            int length = Math.toIntExact(data.byteSize());
            if (length > PIECE) {
                throw new IllegalArgumentException("a piece of " + length + " bytes");
            }
            synchronized (ContentStore.this) {
                if (closed) {
                    return;
                }
                Shelf shelf = shelves.computeIfAbsent(name, _ -> this);
                Place known = shelf.pieces.get(tag);
                if (known != null) {
                    shelf.give(tag);
                }
                int number = room();
                // Two sessions of a slice may have a shelf each while nothing is on it.
                shelf = shelves.computeIfAbsent(name, _ -> this);
                taken.set(number);
                MemorySegment.copy(data, 0, memory.segment(), (long) number * PIECE, length);
                shelf.pieces.put(tag, new Place(number, length));
                shelf.bytes += length;
            }
        }

        /** Shows a piece; false when it is not here, or is not so long. */
        public boolean read(Tag tag, int length, Reader to) throws java.io.IOException {
            synchronized (ContentStore.this) {
                Shelf shelf = shelves.get(name);
                Place place = closed || shelf == null ? null : shelf.pieces.get(tag);
                if (place == null || place.bytes != length) {
                    misses++;
                    return false;
                }
                hits++;
                to.read(memory.segment().asSlice((long) place.number * PIECE, length));
                return true;
            }
        }

        private void give(Tag tag) {
            Place place = pieces.remove(tag);
            if (place == null) {
                return;
            }
            bytes -= place.bytes;
            taken.clear(place.number);
            if (pieces.isEmpty()) {
                shelves.remove(name);
            }
        }

        private void giveEldest() {
            give(pieces.firstEntry().getKey());
        }
    }

    private int room() {
        int free = taken.nextClearBit(0);
        if (free >= places) {
            Shelf most = largest();
            if (most == null) {
                throw new IllegalStateException("a full store with nothing in it");
            }
            most.giveEldest();
            free = taken.nextClearBit(0);
        }
        return free;
    }

    private @Nullable Shelf largest() {
        Shelf most = null;
        for (Shelf each : shelves.values()) {
            if (most == null || each.pieces.size() > most.pieces.size()) {
                most = each;
            }
        }
        return most;
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            shelves.clear();
            memory.close();
        }
    }
}
