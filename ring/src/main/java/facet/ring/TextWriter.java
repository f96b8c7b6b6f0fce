package facet.ring;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * Writes text that nobody waits for: the ring's data is the text itself, and the oldest is
 * overwritten. A reader that comes too late has lost what is more than three quarters of the ring
 * behind head, since the quarter before may be in the middle of being written again. One thread at
 * a time uses it.
 */
public final class TextWriter {
    private final RingMemory ring;
    private long position;

    TextWriter(RingMemory ring) {
        this.ring = ring;
        position = ring.head();
    }

    public void write(byte[] text) {
        int longest = ring.bytes() / 4;
        for (int from = 0; from < text.length; from += longest) {
            writePart(text, from, Math.min(longest, text.length - from));
        }
    }

    private void writePart(byte[] text, int from, int length) {
        int index = ring.index(position);
        int beforeEnd = Math.min(length, ring.bytes() - index);
        MemorySegment data = ring.data();
        // The last head is seen before what is written now: a reader that finds these bytes finds
        // a head that tells it so.
        VarHandle.storeStoreFence();
        MemorySegment.copy(text, from, data, JAVA_BYTE, index, beforeEnd);
        MemorySegment.copy(text, from + beforeEnd, data, JAVA_BYTE, 0, length - beforeEnd);
        position += length;
        ring.publishHead(position);
    }
}
