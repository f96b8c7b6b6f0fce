package facet.host.mirror;

import java.util.Arrays;

/** Words that one side has written, in the order of their places. */
final class Notes {
    private static final int MOST = 1024;

    /** What to do with a word. */
    interface Action {
        void accept(long offset, long value);
    }

    private final long[] offsets = new long[MOST];
    private final long[] values = new long[MOST];
    private int count;
    private boolean tooMany;

    void clear() {
        count = 0;
        tooMany = false;
    }

    void add(long offset, long value) {
        if (count == MOST) {
            tooMany = true;
            return;
        }
        offsets[count] = offset;
        values[count++] = value;
    }

    boolean areTooMany() {
        return tooMany;
    }

    /**
     * Whether two looks one after the other have seen the same: then all of it was there at once.
     */
    boolean agreeWith(Notes other) {
        return !tooMany
                && !other.tooMany
                && Arrays.equals(offsets, 0, count, other.offsets, 0, other.count)
                && Arrays.equals(values, 0, count, other.values, 0, other.count);
    }

    void forEach(Action action) {
        for (int i = 0; i < count; i++) {
            action.accept(offsets[i], values[i]);
        }
    }
}
