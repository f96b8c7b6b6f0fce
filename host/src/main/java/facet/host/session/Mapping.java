package facet.host.session;

import facet.host.share.Segment;

/**
 * A part of a segment at an address of the session's choice.
 *
 * @param offset in the segment
 * @param readable by kernels of which devices: a bit each
 * @param writable likewise
 */
record Mapping(
        long address, long bytes, Segment segment, long offset, long readable, long writable) {

    long end() {
        return address + bytes; // bounded: checked when it was made, below 2^47
    }

    Mapping with(int device, boolean reads, boolean writes) {
        long bit = 1L << device;
        return new Mapping(
                address,
                bytes,
                segment,
                offset,
                reads ? readable | bit : readable & ~bit,
                writes ? writable | bit : writable & ~bit);
    }
}
