package facet.doors.history;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Numbers of the last hour, one a second. Seconds are counted from the daemon's start. What is
 * older is overwritten. Room is taken as it is needed: most slices do not live for an hour.
 */
final class Column {
    /** Where there was no sample. */
    static final int NONE = Integer.MIN_VALUE;

    static final int SECONDS = 3600;
    private static final int CHUNK = 120;

    private final int[] @Nullable [] chunks = new int[SECONDS / CHUNK][];

    /** The last one that was put. */
    private long last;

    /** The first one that was put; what comes before was never there. */
    private final long first;

    /**
     * @param first no second before it is put
     */
    Column(long first) {
        this.first = first;
        last = first - 1;
    }

    /**
     * @param second later than any before
     */
    void put(long second, int value) {
        for (long each = Math.max(last + 1, second - SECONDS + 1); each < second; each++) {
            set(each, NONE);
        }
        set(second, value);
        last = second;
    }

    private void set(long second, int value) {
        int place = (int) (second % SECONDS);
        int[] chunk = chunks[place / CHUNK];
        if (chunk == null) {
            if (value == NONE) {
                return;
            }
            chunk = new int[CHUNK];
            Arrays.fill(chunk, NONE);
            chunks[place / CHUNK] = chunk;
        }
        chunk[place % CHUNK] = value;
    }

    int at(long second) {
        if (second > last || second < first || second <= last - SECONDS) {
            return NONE;
        }
        int place = (int) (second % SECONDS);
        int[] chunk = chunks[place / CHUNK];
        return chunk == null ? NONE : chunk[place % CHUNK];
    }

    long last() {
        return last;
    }
}
