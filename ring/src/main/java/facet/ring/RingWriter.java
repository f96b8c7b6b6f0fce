package facet.ring;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import facet.abi.RecordHeaderLayout;
import java.lang.foreign.MemorySegment;

/** The producer of a ring. One thread uses it; {@link #close} is for any thread. */
public final class RingWriter implements AutoCloseable {
    private final RingMemory ring;
    private final WaitStrategy waiting;
    private final RoomWait wait = new RoomWait();
    private long position;

    /** The last tail that was seen, and checked. */
    private long tail;

    private volatile boolean closed;

    RingWriter(RingMemory ring, WaitStrategy waiting) {
        this.ring = ring;
        this.waiting = waiting;
        position = ring.head() & -8L;
        tail = position;
    }

    /** A writer of the ring whose control block is at {@code offset}. */
    public static RingWriter of(MemorySegment memory, long offset, int bytes) {
        return new RingWriter(
                new RingMemory(memory, offset, bytes, Parking.FUTEX), new WaitStrategy());
    }

    /** Bytes of the longest record; it always fits once the reader has caught up. */
    public int longestRecord() {
        return ring.bytes() / 2;
    }

    /**
     * Publishes a record and wakes the reader when it sleeps.
     *
     * @param record with its header, whose length is the record's
     * @return false when there is no room for it at the moment
     * @throws MalformedRecord when the reader claims to have read what was not written
     */
    public boolean offer(MemorySegment record) throws MalformedRecord {
        int length = checked(record);
        int index = ring.index(position);
        int padding = length > ring.bytes() - index ? ring.bytes() - index : 0;
        if (!hasRoom(padding + length)) {
            return false;
        }
        write(record, index, padding);
        return true;
    }

    public boolean offer(byte[] record) throws MalformedRecord {
        return offer(MemorySegment.ofArray(record));
    }

    /**
     * Same, waiting for room.
     *
     * @return false when the time was over or the writer was closed
     */
    public boolean offer(MemorySegment record, long timeoutNanos) throws MalformedRecord {
        if (offer(record)) {
            return true;
        }
        long start = System.nanoTime();
        int length = (int) record.byteSize();
        int rest = ring.bytes() - ring.index(position);
        wait.wanted = length > rest ? rest + length : length;
        while (waiting.await(wait, timeoutNanos - (System.nanoTime() - start)) && !closed) {
            if (offer(record)) {
                return true;
            }
        }
        return false;
    }

    /** Ends waiting, now and from now on. */
    @Override
    public void close() {
        closed = true;
        ring.wakeWriterAlways();
    }

    private int checked(MemorySegment record) {
        long length = record.byteSize();
        if (length < RecordHeaderLayout.BYTES
                || (length & 7) != 0
                || length > longestRecord()
                || record.get(JAVA_INT_UNALIGNED, RecordHeaderLayout.LENGTH_OFFSET) != length) {
            throw new IllegalArgumentException(
                    "a record of " + length + " bytes in a ring of " + ring.bytes());
        }
        return (int) length;
    }

    private boolean hasRoom(int wanted) throws MalformedRecord {
        if (position + wanted - tail <= ring.bytes()) {
            return true;
        }
        long seen = ring.tail();
        if (seen - tail < 0 || position - seen < 0) {
            throw new MalformedRecord(
                    "tail of the ring is at " + seen + " while its writer is at " + position);
        }
        tail = seen;
        return position + wanted - tail <= ring.bytes();
    }

    private void write(MemorySegment record, int index, int padding) {
        int length = (int) record.byteSize();
        if (padding != 0) {
            // Length, with type 0 behind it.
            ring.data().set(JAVA_LONG, index, padding);
        }
        MemorySegment.copy(record, 0, ring.data(), padding == 0 ? index : 0, length);
        position += padding + length;
        ring.publishHead(position);
        ring.wakeReader();
    }

    private final class RoomWait implements WaitStrategy.Wait {
        private int wanted;

        @Override
        public boolean ready() {
            long seen = ring.tail();
            // A tail that is wrong ends the wait too; the next offer says so.
            return position + wanted - seen <= ring.bytes() || closed;
        }

        @Override
        public void asleep(boolean asleep) {
            ring.writerSleeps(asleep);
        }

        @Override
        public void sleep(long nanos) {
            ring.sleepAsWriter(nanos);
        }
    }
}
