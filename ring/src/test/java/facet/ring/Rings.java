package facet.ring;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.junit.jupiter.api.Assertions.assertEquals;

import facet.abi.RecordHeaderLayout;
import facet.abi.RingControlLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A ring in memory of this process, and records whose bytes tell whether they arrived whole. */
final class Rings {
    final MemorySegment memory;
    final RingReader reader;
    final RingWriter writer;

    Rings(int bytes) {
        memory = Arena.ofAuto().allocate(RingControlLayout.BYTES + bytes, 64);
        RingMemory ring = new RingMemory(memory, 0, bytes, Parking.FUTEX);
        ring.format();
        reader = new RingReader(ring, new WaitStrategy());
        writer = new RingWriter(ring, new WaitStrategy());
    }

    /** Another reader and writer of the same memory, from its start. */
    Rings(Rings other) {
        memory = other.memory;
        tail(0);
        head(0);
        RingMemory ring = new RingMemory(memory, 0, (int) data().byteSize(), Parking.FUTEX);
        reader = new RingReader(ring, new WaitStrategy());
        writer = new RingWriter(ring, new WaitStrategy());
    }

    MemorySegment data() {
        return memory.asSlice(RingControlLayout.BYTES);
    }

    void head(long position) {
        memory.set(JAVA_LONG, RingControlLayout.HEAD_OFFSET, position);
    }

    void tail(long position) {
        memory.set(JAVA_LONG, RingControlLayout.TAIL_OFFSET, position);
    }

    /** A record of this many bytes; every byte of its body follows from the sequence. */
    static MemorySegment record(long sequence, int length) {
        MemorySegment record = MemorySegment.ofArray(new long[length / 8]);
        record.fill((byte) sequence);
        record.set(JAVA_INT, RecordHeaderLayout.LENGTH_OFFSET, length);
        record.set(JAVA_SHORT, RecordHeaderLayout.TYPE_OFFSET, (short) 7);
        record.set(JAVA_SHORT, RecordHeaderLayout.SLOT_OFFSET, (short) 0);
        record.set(JAVA_LONG, RecordHeaderLayout.SEQUENCE_OFFSET, sequence);
        return record;
    }

    static void assertRecord(long sequence, int length, MemorySegment record) {
        assertEquals(length, record.byteSize());
        assertEquals(length, record.get(JAVA_INT, RecordHeaderLayout.LENGTH_OFFSET));
        assertEquals(sequence, record.get(JAVA_LONG, RecordHeaderLayout.SEQUENCE_OFFSET));
        for (long at = RecordHeaderLayout.CONTEXT_OFFSET; at < length; at++) {
            if (record.get(JAVA_BYTE, at) != (byte) sequence) {
                assertEquals((byte) sequence, record.get(JAVA_BYTE, at), "byte " + at);
            }
        }
    }
}
