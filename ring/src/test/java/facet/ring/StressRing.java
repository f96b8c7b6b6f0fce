package facet.ring;

import facet.abi.RecordHeaderLayout;
import facet.abi.RingControlLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** A small ring on the heap, whose ends do not spin. */
final class StressRing {
    static final int BYTES = 64;
    static final int RECORD = 32;

    final StressParking parking = new StressParking();
    final RingReader reader;
    final RingWriter writer;

    StressRing() {
        MemorySegment memory =
                MemorySegment.ofArray(new long[(RingControlLayout.BYTES + BYTES) / 8]);
        RingMemory ring = new RingMemory(memory, 0, BYTES, parking);
        ring.format();
        reader = new RingReader(ring, WaitStrategy.withoutSpinning());
        writer = new RingWriter(ring, WaitStrategy.withoutSpinning());
    }

    boolean offer(long sequence) {
        try {
            return writer.offer(Rings.record(sequence, RECORD));
        } catch (MalformedRecord e) {
            throw new AssertionError(e);
        }
    }

    /** "nothing", the sequence of a whole record, or "torn". */
    String poll() {
        try {
            return describe(reader.poll());
        } catch (MalformedRecord e) {
            return "malformed";
        }
    }

    private static String describe(@Nullable MemorySegment record) {
        if (record == null) {
            return "nothing";
        }
        long sequence = record.get(ValueLayout.JAVA_LONG, RecordHeaderLayout.SEQUENCE_OFFSET);
        long body = record.get(ValueLayout.JAVA_LONG, RECORD - 8);
        return body == sequence * 0x0101010101010101L ? "record " + sequence : "torn";
    }
}
