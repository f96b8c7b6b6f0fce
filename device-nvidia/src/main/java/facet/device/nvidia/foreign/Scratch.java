package facet.device.nvidia.foreign;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * Memory for what a call answers, or is told. Of one thread.
 *
 * <p>SAFETY: everything that is handed out stays allocated until this is closed, and a call keeps
 * none of it.
 */
final class Scratch implements AutoCloseable {
    private final Arena arena = Arena.ofConfined();

    MemorySegment room(long bytes) {
        return arena.allocate(bytes, Long.BYTES);
    }

    static long number(MemorySegment place) {
        return place.get(ValueLayout.JAVA_LONG, 0);
    }

    static int word(MemorySegment place) {
        return place.get(ValueLayout.JAVA_INT, 0);
    }

    /** A text with its end. */
    MemorySegment text(String text) {
        return arena.allocateFrom(text, StandardCharsets.UTF_8);
    }

    /** The text that a call wrote; all of the room where no end is. */
    static String text(MemorySegment place) {
        byte[] bytes = place.toArray(ValueLayout.JAVA_BYTE);
        int end = 0;
        while (end < bytes.length && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        arena.close();
    }
}
