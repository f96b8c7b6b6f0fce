package facet.pool.template;

import facet.abi.RecordHeaderLayout;
import facet.pool.link.LinkViolation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Makes records of what {@link RecordEncoder} wrote. Whatever comes, it costs no more than the
 * bound of a batch in time, and that of the history in memory.
 */
public final class RecordDecoder {
    private final int mostRecord;
    private final long mostBatch;
    private final History history = new History();
    private byte[] scratch = new byte[512];
    private long cursor;
    private long last;

    /** Takes records. */
    public interface Records {
        /**
         * @param bytes of the record, from 0 to length; valid during the call
         */
        void record(byte[] bytes, int length) throws IOException;
    }

    /**
     * @param mostRecord bytes of one record
     * @param mostBatch bytes of the records of a batch
     */
    public RecordDecoder(int mostRecord, long mostBatch) {
        this.mostRecord = mostRecord;
        this.mostBatch = mostBatch;
    }

    /**
     * Takes a batch apart.
     *
     * @return bytes of its records
     * @throws LinkViolation when no encoder has written it
     */
    public long decode(ByteBuffer batch, Records to) throws IOException {
        ByteBuffer in = batch.slice().order(ByteOrder.LITTLE_ENDIAN);
        long sum = 0;
        while (in.hasRemaining()) {
            long word = number(in);
            long value = word >>> 2;
            switch ((int) (word & 3)) {
                case Words.RUN -> sum = run(value, sum, to);
                case Words.CHANGED -> sum = changed(value, in, sum, to);
                case Words.JUMP -> {
                    if (value > history.end() - history.start()) {
                        throw new LinkViolation("a record before all that is known");
                    }
                    cursor = history.end() - value;
                }
                default -> sum = literal(value, in, sum, to);
            }
        }
        return sum;
    }

    private long run(long count, long before, Records to) throws IOException {
        long sum = before;
        for (long i = 0; i < count; i++) {
            History.Kept kept = known();
            sum = counted(sum, kept.bytes().length);
            System.arraycopy(kept.bytes(), 0, room(kept.bytes().length), 0, kept.bytes().length);
            cursor++;
            history.add(kept);
            give(kept.bytes().length, to);
        }
        return sum;
    }

    private History.Kept known() throws LinkViolation {
        History.Kept kept = history.get(cursor);
        if (kept == null) {
            throw new LinkViolation("a record that is not known");
        }
        return kept;
    }

    private long changed(long count, ByteBuffer in, long before, Records to) throws IOException {
        History.Kept from = known();
        int length = from.bytes().length;
        if (count > length) {
            throw new LinkViolation("a record with " + count + " changes");
        }
        long sum = counted(before, length);
        byte[] bytes = from.bytes().clone();
        int at = 0;
        for (long i = 0; i < count; i++) {
            long skip = number(in);
            long bytesChanged = number(in);
            if (skip > length - at || bytesChanged > length - at - skip) {
                throw new LinkViolation("a change outside of its record");
            }
            at += (int) skip;
            take(in, bytes, at, (int) bytesChanged);
            at += (int) bytesChanged;
        }
        check(bytes, length);
        Words.LONG.set(bytes, RecordHeaderLayout.SEQUENCE_OFFSET, 0L);
        cursor++;
        history.add(new History.Kept(bytes, 0));
        System.arraycopy(bytes, 0, room(length), 0, length);
        give(length, to);
        return sum;
    }

    private long literal(long length, ByteBuffer in, long before, Records to) throws IOException {
        if (length < RecordHeaderLayout.BYTES || length > mostRecord || length % Long.BYTES != 0) {
            throw new LinkViolation("a record of " + length + " bytes");
        }
        int bytes = (int) length;
        long sum = counted(before, bytes);
        if (bytes > in.remaining()) {
            throw new LinkViolation("a record that is cut off");
        }
        take(in, room(bytes), 0, bytes);
        check(scratch, bytes);
        last = (long) Words.LONG.get(scratch, RecordHeaderLayout.SEQUENCE_OFFSET) - 1;
        if (bytes <= History.MOST_RECORD) {
            byte[] kept = Arrays.copyOf(scratch, bytes);
            Words.LONG.set(kept, RecordHeaderLayout.SEQUENCE_OFFSET, 0L);
            history.add(new History.Kept(kept, 0));
        }
        give(bytes, to);
        return sum;
    }

    private static void take(ByteBuffer in, byte[] to, int at, int count) throws LinkViolation {
        if (count > in.remaining()) {
            throw new LinkViolation("a change that is cut off");
        }
        in.get(to, at, count);
    }

    /** A record says itself how long it is. */
    private static void check(byte[] record, int length) throws LinkViolation {
        long first = (long) Words.LONG.get(record, 0);
        if ((int) first != length) {
            throw new LinkViolation("a record of " + length + " bytes that says " + (int) first);
        }
    }

    private void give(int length, Records to) throws IOException {
        last++;
        Words.LONG.set(scratch, RecordHeaderLayout.SEQUENCE_OFFSET, last);
        to.record(scratch, length);
    }

    private long counted(long sum, int more) throws LinkViolation {
        if (sum > mostBatch - more) {
            throw new LinkViolation("a batch of more than " + mostBatch + " bytes");
        }
        return sum + more;
    }

    private byte[] room(int length) {
        if (length > scratch.length) {
            scratch = new byte[Integer.highestOneBit(length) * 2];
        }
        return scratch;
    }

    /** At most 63 bits. */
    private static long number(ByteBuffer in) throws LinkViolation {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE - 1; shift += 7) {
            if (!in.hasRemaining()) {
                throw new LinkViolation("a number that is cut off");
            }
            byte next = in.get();
            value |= (next & 0x7fL) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new LinkViolation("a number without an end");
    }
}
