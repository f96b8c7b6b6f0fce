package facet.device.cpu;

import facet.os.MappingUnsafe;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** Native memory for the arguments of launches under way: pieces of 4 KiB, CUDA's limit. */
final class ArgumentPool implements AutoCloseable {
    static final int PIECE = 4096;
    private static final int PIECES = 64;

    private final List<MappingUnsafe> mappings = new ArrayList<>();
    private final ArrayDeque<MemorySegment> free = new ArrayDeque<>();

    /** A piece that holds the bytes. */
    synchronized MemorySegment take(byte[] bytes) {
        if (free.isEmpty()) {
            MappingUnsafe mapping = MappingUnsafe.of((long) PIECE * PIECES);
            mappings.add(mapping);
            for (int i = 0; i < PIECES; i++) {
                free.add(mapping.segment().asSlice((long) i * PIECE, PIECE));
            }
        }
        MemorySegment piece = free.removeLast();
        MemorySegment.copy(
                bytes, 0, piece, java.lang.foreign.ValueLayout.JAVA_BYTE, 0, bytes.length);
        return piece;
    }

    synchronized void give(MemorySegment piece) {
        free.add(piece);
    }

    @Override
    public synchronized void close() {
        mappings.forEach(MappingUnsafe::close);
        mappings.clear();
        free.clear();
    }
}
