package facet.jit.runtime;

import java.util.Arrays;
import java.util.List;

/**
 * Memory beside that of its own context which a launch may touch: what other contexts of the same
 * program share with it, and what is mapped at addresses of the program's choice. Looked at only
 * for addresses outside of the own memory. Immutable.
 */
public final class PeerWindows {
    public static final PeerWindows NONE = of(List.of(), List.of());

    /** Where nothing is found. */
    static final long NOWHERE = 0;

    private static final long UNIT = 32;

    private final Table readable;
    private final Table writable;

    /**
     * @param start device address
     * @param size in bytes; what is no multiple of 32 at its end is not reached, so that an aligned
     *     access that starts inside ends inside
     * @param delta what turns a device address into an address of this process
     */
    public record Window(long start, long size, long delta) {
        public Window {
            // No 32-bit address leads here, however it wraps.
            if (start < Windows.SIZE || size < 0 || start > Long.MAX_VALUE - size) {
                throw new IllegalArgumentException("a window of " + size + " bytes at " + start);
            }
        }
    }

    /** Windows by their starts. */
    private static final class Table {
        private final long[] starts;
        private final long[] sizes;
        private final long[] deltas;

        Table(List<Window> windows) {
            Window[] sorted = windows.toArray(Window[]::new);
            Arrays.sort(sorted, (a, b) -> Long.compare(a.start(), b.start()));
            starts = new long[sorted.length];
            sizes = new long[sorted.length];
            deltas = new long[sorted.length];
            for (int i = 0; i < sorted.length; i++) {
                starts[i] = sorted[i].start();
                sizes[i] = sorted[i].size() & -UNIT;
                deltas[i] = sorted[i].delta();
            }
        }

        long find(long address, long bytes) {
            int at = Arrays.binarySearch(starts, address);
            int window = at >= 0 ? at : -at - 2;
            // Of equal starts any may be found; an address below the first has none.
            if (window < 0 || address < 0) {
                return NOWHERE;
            }
            long offset = address - starts[window]; // not negative: both are not
            boolean inside = bytes <= sizes[window] && offset <= sizes[window] - bytes;
            return inside ? address + deltas[window] : NOWHERE;
        }
    }

    private PeerWindows(Table readable, Table writable) {
        this.readable = readable;
        this.writable = writable;
    }

    /**
     * Of windows that overlap the one that begins last counts.
     *
     * @param readable what may be read
     * @param writable what may be written, and is in windows of the other list too
     */
    public static PeerWindows of(List<Window> readable, List<Window> writable) {
        Table read = new Table(readable);
        return new PeerWindows(read, readable.equals(writable) ? read : new Table(writable));
    }

    /** Where the bytes are in this process when all of them are in one window. */
    long find(long address, long bytes, boolean writes) {
        return (writes ? writable : readable).find(address, bytes);
    }
}
