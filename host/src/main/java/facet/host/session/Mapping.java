package facet.host.session;

import facet.device.PhysicalMemory;
import facet.host.share.Holder;
import facet.host.share.Segment;
import org.jspecify.annotations.Nullable;

/**
 * A part of a segment at an address of the session's choice.
 *
 * @param offset in the segment
 * @param place where the device has mapped it; null: contexts get windows
 * @param readable by kernels of which devices: a bit each
 * @param writable likewise
 */
record Mapping(
        long address,
        long bytes,
        Segment segment,
        long offset,
        PhysicalMemory.@Nullable Place place,
        long readable,
        long writable) {

    long end() {
        return address + bytes; // bounded: checked when it was made, below 2^47
    }

    boolean permits(int device, boolean writes) {
        return ((writes ? writable : readable) >> device & 1) != 0;
    }

    /** Nothing uses it any more. */
    void end(Holder holder) {
        if (place != null) {
            place.unmap();
        }
        segment.drop(holder);
    }

    Mapping with(int device, boolean reads, boolean writes) {
        long bit = 1L << device;
        return new Mapping(
                address,
                bytes,
                segment,
                offset,
                place,
                reads ? readable | bit : readable & ~bit,
                writes ? writable | bit : writable & ~bit);
    }
}
