package facet.pool.template;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The last records of a session, by number. Records that repeat are the same object, so it costs
 * little more than what is different in them. It forgets the oldest by rules that both sides share.
 */
final class History {
    /** Several steps of a large model. */
    static final int MOST_RECORDS = 16 << 10;

    static final long MOST_BYTES = 4 << 20;

    /** Longer ones are data, which does not repeat, and would push out what does. */
    static final int MOST_RECORD = 4 << 10;

    private static final int FIRST = 256;

    /**
     * @param bytes without sequence number: zeros are in its place
     */
    record Kept(byte[] bytes, long hash) {}

    private @Nullable Kept[] records = new Kept[FIRST];
    private long start;
    private long end;
    private long bytes;

    /** Number of the oldest. */
    long start() {
        return start;
    }

    /** Number of the next. */
    long end() {
        return end;
    }

    @Nullable Kept get(long number) {
        return number < start || number >= end ? null : records[at(number)];
    }

    void add(Kept record) {
        if (record.bytes.length > MOST_RECORD) {
            return;
        }
        while (end - start >= MOST_RECORDS || bytes + record.bytes.length > MOST_BYTES) {
            Kept oldest = records[at(start)];
            bytes -= oldest == null ? 0 : oldest.bytes.length;
            records[at(start)] = null;
            start++;
        }
        if (end - start == records.length) {
            grow();
        }
        records[at(end)] = record;
        bytes += record.bytes.length;
        end++;
    }

    private int at(long number) {
        return (int) (number & records.length - 1);
    }

    private void grow() {
        @Nullable Kept[] before = records;
        records = new Kept[before.length * 2];
        for (long i = start; i < end; i++) {
            records[at(i)] = before[(int) (i & before.length - 1)];
        }
    }

    /** A hash that needs not be strong: whoever finds something by it compares. */
    static long hash(byte[] bytes, int length) {
        long hash = length;
        int i = 0;
        for (; i + Long.BYTES <= length; i += Long.BYTES) {
            hash = (hash ^ (long) Words.LONG.get(bytes, i)) * 0x9e37_79b9_7f4a_7c15L;
            hash ^= hash >>> 29;
        }
        for (; i < length; i++) {
            hash = (hash ^ bytes[i]) * 0x9e37_79b9_7f4a_7c15L;
        }
        return hash ^ hash >>> 32;
    }

    static boolean equal(Kept kept, byte[] bytes, int length) {
        return kept.bytes.length == length
                && Arrays.equals(kept.bytes, 0, length, bytes, 0, length);
    }
}
