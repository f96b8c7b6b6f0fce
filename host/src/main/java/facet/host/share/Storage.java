package facet.host.share;

import facet.device.PhysicalMemory;
import facet.host.residency.Later;
import facet.os.StitchedUnsafe;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** Where the bytes of a segment are: in this process, or in memory of a device that it maps. */
public interface Storage {
    /** How the device maps it; empty where contexts get windows to the following. */
    default Optional<PhysicalMemory> physical() {
        return Optional.empty();
    }

    /** Some of it. Behind its own bytes are those of the next piece of its file, if it is one. */
    MemorySegment memory(long offset, long bytes);

    /** Tells when the device has room for it, or that it has not. */
    void whenThere(Later told);

    /**
     * Some of it as a piece of a file, for those who map it beside others; empty where pages are
     * not its own.
     */
    Optional<StitchedUnsafe.Piece> piece(long offset, long bytes);

    /** Nobody uses it any more. May take as long as giving its pages back to the system. */
    void drop();
}
