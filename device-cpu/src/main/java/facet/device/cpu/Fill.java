package facet.device.cpu;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Sets memory to a repeated value. */
final class Fill {
    /** What is written element by element before it is copied in growing pieces. */
    private static final long SEED = 4096;

    private Fill() {}

    static void fill(MemorySegment memory, int value, int width) {
        if (width == 1) {
            memory.fill((byte) value);
            return;
        }
        long seed = Math.min(SEED, memory.byteSize());
        for (long at = 0; at < seed; at += width) {
            if (width == 2) {
                memory.set(ValueLayout.JAVA_SHORT_UNALIGNED, at, (short) value);
            } else {
                memory.set(ValueLayout.JAVA_INT_UNALIGNED, at, value);
            }
        }
        for (long done = seed; done < memory.byteSize(); ) {
            long piece = Math.min(done, memory.byteSize() - done);
            MemorySegment.copy(memory, 0, memory, done, piece);
            done += piece;
        }
    }
}
