package facet.host.mirror;

import java.util.Arrays;

/** Words that one side has written, in the order of their places. */
final class Notes {
    /** Words: a program that writes more of them before its flag is not understood. */
    static final int MOST = 1 << 19;

    private static final int FEW = 1 << 10;

    /** What to do with a word. */
    interface Action {
        void accept(long offset, long value);
    }

    private long[] offsets = new long[FEW];
    private long[] values = new long[FEW];
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
        if (count == offsets.length) {
            offsets = Arrays.copyOf(offsets, 2 * count);
            values = Arrays.copyOf(values, 2 * count);
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
