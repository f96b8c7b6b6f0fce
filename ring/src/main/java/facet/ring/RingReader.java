package facet.ring;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import facet.abi.RecordHeaderLayout;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The consumer of a ring. A record is copied once; what is returned is the copy, which nobody else
 * can change. One thread uses it; {@link #close} is for any thread.
 */
public final class RingReader implements AutoCloseable {
    private static final int SMALL = 512;
    private static final int PADDING = 0;

    private final RingMemory ring;
    private final WaitStrategy waiting;
    private final DataWait wait = new DataWait();
    private MemorySegment copy = MemorySegment.ofArray(new long[SMALL / Long.BYTES]);
    private long position;

    /** The last head that was seen, and checked. */
    private long head;

    private volatile boolean closed;

    RingReader(RingMemory ring, WaitStrategy waiting) {
        this.ring = ring;
        this.waiting = waiting;
        // Anything may be there when a host takes over; aligned it is no danger, and the first look
        // finds it wrong.
        position = ring.tail() & -8L;
        head = position;
    }

    /** A reader of the ring whose control block is at {@code offset}. */
    public static RingReader of(MemorySegment memory, long offset, int bytes) {
        return new RingReader(
                new RingMemory(memory, offset, bytes, Parking.FUTEX), new WaitStrategy());
    }

    /**
     * The next record, or null when there is none at the moment.
     *
     * @return a copy of exactly the record's length, valid until the next call
     * @throws MalformedRecord when the ring cannot be read any further
     */
    public @Nullable MemorySegment poll() throws MalformedRecord {
        if (position == head && !lookForMore()) {
            return null;
        }
        long first = firstWord();
        if (type(first) == PADDING) {
            skipPadding(length(first));
            if (position == head && !lookForMore()) {
                return null;
            }
            // At the start of the data now, where no padding is right.
            first = firstWord();
        }
        return take(first);
    }

    /**
     * The next record, waiting for it.
     *
     * @return as {@link #poll}; null when the reader was closed
     */
    public @Nullable MemorySegment take() throws MalformedRecord {
        while (!closed) {
            MemorySegment record = poll();
            if (record != null) {
                return record;
            }
            await(Long.MAX_VALUE);
        }
        return null;
    }

    /**
     * Waits until there is something to {@link #poll}.
     *
     * @return false when the time was over or the reader was closed
     */
    public boolean await(long timeoutNanos) {
        return waiting.await(wait, timeoutNanos) && !closed;
    }

    /** Ends waiting, now and from now on. */
    @Override
    public void close() {
        closed = true;
        ring.wakeReaderAlways();
    }

    public boolean isClosed() {
        return closed;
    }

    /** How much was read: where the last record that was returned ended. */
    public long position() {
        return position;
    }

    /** How much the producer says to have written. Any thread. */
    public long published() {
        return ring.head();
    }

    private boolean lookForMore() throws MalformedRecord {
        long seen = ring.head();
        if (seen == position) {
            return false;
        }
        long distance = seen - position;
        if (distance < 0 || distance > ring.bytes() || (seen & 7) != 0) {
            throw new MalformedRecord(
                    "head of the ring is at " + seen + " while its reader is at " + position);
        }
        head = seen;
        return true;
    }

    /** Length, type and slot, read once. */
    private long firstWord() {
        return ring.data().get(JAVA_LONG, ring.index(position));
    }

    private static int length(long first) {
        return (int) first;
    }

    private static int type(long first) {
        return (int) (first >>> 32) & 0xffff;
    }

    private void skipPadding(int length) throws MalformedRecord {
        int index = ring.index(position);
        // At the start of the data it would fill the ring; a stream of them would hold us here.
        if (index == 0 || length != ring.bytes() - index || length > head - position) {
            throw new MalformedRecord("padding of " + length + " bytes at " + position);
        }
        consume(length);
    }

    private MemorySegment take(long first) throws MalformedRecord {
        int length = length(first);
        int index = ring.index(position);
        if (length < RecordHeaderLayout.BYTES
                || (length & 7) != 0
                || length > head - position
                || length > ring.bytes() - index
                || type(first) == PADDING) {
            throw new MalformedRecord(
                    "record of type "
                            + type(first)
                            + " and "
                            + Integer.toUnsignedString(length)
                            + " bytes at "
                            + position
                            + ", of which "
                            + (head - position)
                            + " bytes are published");
        }
        if (length > copy.byteSize()) {
            copy = MemorySegment.ofArray(new long[Integer.highestOneBit(length - 1) * 2 / 8]);
        }
        MemorySegment.copy(ring.data(), index, copy, 0, length);
        // The one that was checked, not what may be there by now.
        copy.set(JAVA_LONG, 0, first);
        consume(length);
        return copy.asSlice(0, length);
    }

    private void consume(int length) {
        position += length;
        ring.publishTail(position);
        ring.wakeWriter();
    }

    private final class DataWait implements WaitStrategy.Wait {
        @Override
        public boolean ready() {
            return position != head || ring.head() != position || closed;
        }

        @Override
        public void asleep(boolean asleep) {
            ring.readerSleeps(asleep);
        }

        @Override
        public void sleep(long nanos) {
            ring.sleepAsReader(nanos);
        }
    }
}
