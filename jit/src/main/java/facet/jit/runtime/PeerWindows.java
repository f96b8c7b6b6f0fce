package facet.jit.runtime;

import java.util.Arrays;
import java.util.List;

/**
 * Memory beside that of its own context which a launch may touch: what other contexts of the same
 * program share with it. Looked at only for addresses outside of the own memory. Immutable.
 */
public final class PeerWindows {
    public static final PeerWindows NONE = new PeerWindows(List.of());

    /** Where nothing is found. */
    static final long NOWHERE = 0;

    private static final long UNIT = 32;

    private final long[] starts;
    private final long[] sizes;
    private final long[] deltas;

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

    private PeerWindows(List<Window> windows) {
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

    /** Of windows that overlap the one that begins last counts. */
    public static PeerWindows of(List<Window> windows) {
        return windows.isEmpty() ? NONE : new PeerWindows(windows);
    }

    /** Where the bytes are in this process when all of them are in one window. */
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
