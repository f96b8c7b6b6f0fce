package facet.ring;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/** Reads what a {@link TextWriter} wrote, as far as it is still there. One thread uses it. */
public final class TextReader {
    private final RingMemory ring;
    private long position;

    TextReader(RingMemory ring) {
        this.ring = ring;
        position = ring.tail();
    }

    /** All text since the last call; when it was too much, the newest of it. */
    public byte[] read() {
        long head = ring.head();
        long start = Math.max(position, oldest(head));
        byte[] text = new byte[(int) (head - start)];
        int index = ring.index(start);
        int beforeEnd = Math.min(text.length, ring.bytes() - index);
        MemorySegment.copy(ring.data(), JAVA_BYTE, index, text, 0, beforeEnd);
        MemorySegment.copy(ring.data(), JAVA_BYTE, 0, text, beforeEnd, text.length - beforeEnd);
        VarHandle.acquireFence();
        long lost = Math.max(0, oldest(ring.head()) - start);
        position = head;
        ring.publishTail(head);
        if (lost == 0) {
            return text;
        }
        int from = (int) Math.min(lost, text.length);
        return java.util.Arrays.copyOfRange(text, from, text.length);
    }

    private long oldest(long head) {
        return Math.max(0, head - ring.bytes() / 4 * 3L);
    }
}
