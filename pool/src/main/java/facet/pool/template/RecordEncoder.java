package facet.pool.template;

import facet.abi.RecordHeaderLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** Writes records as what is new in them. What was written is taken away as a batch. */
public final class RecordEncoder {
    /** Where a record may be in the history, by its hash; a guess that is looked at. */
    private static final int PLACES = 32 << 10;

    /** A change costs its place; equal bytes between two changes that cost less are repeated. */
    private static final int LEAST_GAP = 3;

    private final History history = new History();
    private final Output out = new Output();

    /** By the record and the one before it. */
    private final long[] pairs = new long[PLACES];

    private final long[] single = new long[PLACES];
    private final long[] shapes = new long[PLACES];

    private byte[] scratch = new byte[512];
    private long cursor;
    private long run;
    private long last;
    private long lastHash;
    private int records;
    private long plain;

    /** Records in the batch. */
    public int records() {
        return records;
    }

    /** Bytes that the records have by themselves. */
    public long plainBytes() {
        return plain;
    }

    /** Takes the batch away: what it is, and how long. */
    public Batch take() {
        endRun();
        Batch batch = new Batch(out.bytes, out.length, records, plain);
        out.length = 0;
        records = 0;
        plain = 0;
        return batch;
    }

    /**
     * Of records.
     *
     * @param bytes valid until the next record is added
     * @param plain what the records have by themselves
     */
    public record Batch(byte[] bytes, int length, int records, long plain) {}

    public void add(MemorySegment record) {
        int length = Math.toIntExact(record.byteSize());
        if (length > scratch.length) {
            scratch = new byte[Integer.highestOneBit(length) * 2];
        }
        MemorySegment.copy(record, ValueLayout.JAVA_BYTE, 0, scratch, 0, length);
        long sequence = (long) Words.LONG.get(scratch, RecordHeaderLayout.SEQUENCE_OFFSET);
        records++;
        plain += length;
        boolean next = sequence == last + 1;
        last = sequence;
        Words.LONG.set(scratch, RecordHeaderLayout.SEQUENCE_OFFSET, 0L);
        if (next && length <= History.MOST_RECORD) {
            write(length, sequence);
        } else {
            literal(length, sequence);
        }
    }

    private void write(int length, long sequence) {
        History.Kept here = history.get(cursor);
        if (here != null && History.equal(here, scratch, length)) {
            repeat(here);
            return;
        }
        long hash = History.hash(scratch, length);
        long found = find(hash, length);
        if (found >= 0) {
            jump(found);
            repeat(kept(found));
            return;
        }
        if (here == null || !isLike(here, length)) {
            long like = shapes[place(shape(length))];
            History.Kept other = history.get(like);
            if (other == null || !isLike(other, length)) {
                literal(length, sequence);
                return;
            }
            jump(like);
            here = other;
        }
        change(here, length, hash);
    }

    private History.Kept kept(long number) {
        History.Kept kept = history.get(number);
        if (kept == null) {
            throw new IllegalStateException("record " + number + " is not in the history");
        }
        return kept;
    }

    /** A place of exactly this record, the better one behind the same record as now; -1: none. */
    private long find(long hash, int length) {
        long pair = pairs[place(hash ^ Long.rotateLeft(lastHash, 17))];
        if (isAt(pair, length)) {
            return pair;
        }
        long alone = single[place(hash)];
        return isAt(alone, length) ? alone : -1;
    }

    private boolean isAt(long number, int length) {
        History.Kept kept = history.get(number);
        return kept != null && History.equal(kept, scratch, length);
    }

    private boolean isLike(History.Kept kept, int length) {
        return kept.bytes().length == length
                && Arrays.equals(
                        kept.bytes(),
                        0,
                        RecordHeaderLayout.SLOT_OFFSET,
                        scratch,
                        0,
                        RecordHeaderLayout.SLOT_OFFSET);
    }

    private static int place(long hash) {
        return (int) (hash ^ hash >>> 32) & PLACES - 1;
    }

    /** Kind and length, and the first fields: a launch's stream and function. */
    private long shape(int length) {
        long first = (long) Words.LONG.get(scratch, 0);
        int at = RecordHeaderLayout.BYTES;
        long fields = at + Long.BYTES <= length ? (long) Words.LONG.get(scratch, at) : 0;
        long more =
                at + 2 * Long.BYTES <= length ? (long) Words.LONG.get(scratch, at + Long.BYTES) : 0;
        return (first ^ Long.rotateLeft(fields, 23) ^ Long.rotateLeft(more, 41))
                * 0x9e37_79b9_7f4a_7c15L;
    }

    private void repeat(History.Kept kept) {
        run++;
        cursor++;
        keep(kept);
    }

    private void endRun() {
        if (run > 0) {
            out.token(Words.RUN, run);
            run = 0;
        }
    }

    private void jump(long to) {
        endRun();
        if (cursor != to) {
            out.token(Words.JUMP, history.end() - to);
            cursor = to;
        }
    }

    private void change(History.Kept from, int length, long hash) {
        endRun();
        int[] ends = new int[2 * length];
        int count = changes(from.bytes(), length, ends);
        out.token(Words.CHANGED, count);
        int before = 0;
        for (int i = 0; i < count; i++) {
            int begin = ends[2 * i];
            int end = ends[2 * i + 1];
            out.number(begin - before);
            out.number(end - begin);
            out.put(scratch, begin, end - begin);
            before = end;
        }
        cursor++;
        keep(new History.Kept(Arrays.copyOf(scratch, length), hash));
    }

    private int changes(byte[] from, int length, int[] ends) {
        int count = 0;
        for (int i = 0; i < length; i++) {
            if (from[i] == scratch[i]) {
                continue;
            }
            if (count > 0 && i - ends[2 * count - 1] < LEAST_GAP) {
                ends[2 * count - 1] = i + 1;
            } else {
                ends[2 * count] = i;
                ends[2 * count + 1] = i + 1;
                count++;
            }
        }
        return count;
    }

    private void literal(int length, long sequence) {
        endRun();
        out.token(Words.NEW, length);
        int at = out.length;
        out.put(scratch, 0, length);
        Words.LONG.set(out.bytes, at + RecordHeaderLayout.SEQUENCE_OFFSET, sequence);
        if (length <= History.MOST_RECORD) {
            keep(new History.Kept(Arrays.copyOf(scratch, length), History.hash(scratch, length)));
        }
    }

    private void keep(History.Kept kept) {
        long number = history.end();
        history.add(kept);
        pairs[place(kept.hash() ^ Long.rotateLeft(lastHash, 17))] = number;
        single[place(kept.hash())] = number;
        shapes[place(shape(kept.bytes().length))] = number;
        lastHash = kept.hash();
    }

    /** Bytes that grow. */
    private static final class Output {
        private byte[] bytes = new byte[4 << 10];
        private int length;

        private void room(int more) {
            if (bytes.length - length < more) {
                bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
            }
        }

        void token(int kind, long value) {
            number(value << 2 | kind);
        }

        void number(long value) {
            room(10);
            long rest = value;
            while (rest > 0x7f) {
                bytes[length++] = (byte) (rest | 0x80);
                rest >>>= 7;
            }
            bytes[length++] = (byte) rest;
        }

        void put(byte[] source, int from, int count) {
            room(count);
            System.arraycopy(source, from, bytes, length, count);
            length += count;
        }
    }
}
