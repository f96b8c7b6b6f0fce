package facet.device.cpu;

import facet.os.MappingUnsafe;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Native memory for the arguments of launches under way, in pieces of three sizes: 256 bytes, which
 * nearly all kernels are content with, 4 KiB, and 32 KiB, CUDA's limit since 12.1.
 */
final class ArgumentPool implements AutoCloseable {
    static final int SMALL = 256;
    static final int MEDIUM = 4 << 10;
    static final int LARGE = 32 << 10;
    private static final int FIRST_MAPPING = 256 << 10;
    private static final int LARGEST_MAPPING = 4 << 20;

    /** Each is twice as long as the one before: with its guards it takes many addresses. */
    private int nextMapping = FIRST_MAPPING;

    private final List<MappingUnsafe> mappings = new ArrayList<>();
    private final ArrayDeque<MemorySegment> small = new ArrayDeque<>();
    private final ArrayDeque<MemorySegment> medium = new ArrayDeque<>();
    private final ArrayDeque<MemorySegment> large = new ArrayDeque<>();

    /** A piece that holds the bytes. */
    synchronized MemorySegment take(byte[] bytes) {
        int size = bytes.length <= SMALL ? SMALL : bytes.length <= MEDIUM ? MEDIUM : LARGE;
        ArrayDeque<MemorySegment> free = free(size);
        if (free.isEmpty()) {
            MappingUnsafe mapping = MappingUnsafe.of(nextMapping);
            mappings.add(mapping);
            for (int at = 0; at < nextMapping; at += size) {
                free.add(mapping.segment().asSlice(at, size));
            }
            nextMapping = Math.min(2 * nextMapping, LARGEST_MAPPING);
        }
        MemorySegment piece = free.removeLast();
        MemorySegment.copy(bytes, 0, piece, ValueLayout.JAVA_BYTE, 0, bytes.length);
        return piece;
    }

    synchronized void give(MemorySegment piece) {
        free(piece.byteSize()).add(piece);
    }

    private ArrayDeque<MemorySegment> free(long size) {
        return size == SMALL ? small : size == MEDIUM ? medium : large;
    }

    @Override
    public synchronized void close() {
        mappings.forEach(MappingUnsafe::close);
        mappings.clear();
        small.clear();
        medium.clear();
        large.clear();
    }
}
