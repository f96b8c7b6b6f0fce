package facet.device;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The memory of a context, in the order of its addresses. A device whose memory nobody else can map
 * is as good as one that says where to map it. Made by {@link Device#createMemory}, it outlives the
 * context that is given it, and is closed by whoever made it. Any thread; who works on the same
 * bytes at once sees to the order.
 */
public interface Memory extends AutoCloseable {
    /** From its first to its last byte, most of which are never used. */
    long bytes();

    void write(long offset, MemorySegment source);

    void read(long offset, MemorySegment destination);

    /** Makes a range read as zeros; what it took of the device is free again. */
    void clear(long offset, long bytes);

    /** Bytes that it takes of the device: what was ever written and not cleared since. */
    long resident();

    /** The same of a range; what lies in very many pieces may not all be counted. */
    long resident(long offset, long bytes);

    /** Whether anything of a range is resident; quick, however much that is. */
    boolean isUsed(long offset, long bytes);

    /**
     * Hands over what is in a range, piece by piece, without what was never written.
     *
     * @param stop asked now and then; when it says so the rest is left out
     */
    void save(long offset, long bytes, Sink sink, BooleanSupplier stop) throws IOException;

    /** Where {@link #save} puts what it finds. */
    @FunctionalInterface
    interface Sink {
        /**
         * @param piece valid during the call
         */
        void put(long offset, MemorySegment piece) throws IOException;
    }

    /**
     * Puts back what {@link #save} has handed over, in a range that reads as zeros.
     *
     * @throws IOException when there is no room for it
     */
    void restore(long offset, MemorySegment piece) throws IOException;

    /** How others see the same bytes, where they can. */
    Optional<Mapping> mapping();

    /**
     * A file that others can map.
     *
     * @param descriptor to be sent to others; it stays the memory's
     * @param segment all of it, as this process sees it
     */
    record Mapping(int descriptor, MemorySegment segment) {}

    /**
     * Some of it, to be mapped at other addresses too; it stays where it is. Empty where windows do
     * that ({@link Device#placesMemory}).
     */
    default Optional<PhysicalMemory> part(long offset, long bytes) {
        return Optional.empty();
    }

    /** All of it goes back to the device, whoever still has it mapped. */
    @Override
    void close();
}
