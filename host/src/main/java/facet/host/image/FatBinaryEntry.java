package facet.host.image;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * One piece of code in a fat binary.
 *
 * @param sm 75 for compute_75 or sm_75
 * @param stored its bytes, compressed or not
 * @param decompressed how many bytes it says to have when decompressed
 */
public record FatBinaryEntry(
        int kind,
        int sm,
        long flags,
        Compression compression,
        MemorySegment stored,
        long decompressed) {

    public boolean isPtx() {
        return kind == FatBinaryLayout.KIND_PTX;
    }

    /** Whether only one part or one family of devices may run it. */
    public boolean isSpecific() {
        return (flags & (FatBinaryLayout.FLAG_ONE_PART | FatBinaryLayout.FLAG_ONE_FAMILY)) != 0;
    }

    public byte[] payload() throws ImageException {
        return compression.expand(stored.toArray(ValueLayout.JAVA_BYTE), decompressed);
    }

    /** The PTX; the zeros behind it are left out. */
    public String text() throws ImageException {
        return PtxText.of(payload());
    }

    String label() {
        String variant =
                (flags & FatBinaryLayout.FLAG_ONE_PART) != 0
                        ? "a"
                        : (flags & FatBinaryLayout.FLAG_ONE_FAMILY) != 0 ? "f" : "";
        return switch (kind) {
            case FatBinaryLayout.KIND_PTX -> "compute_" + sm + variant + " (PTX)";
            case FatBinaryLayout.KIND_ELF -> "sm_" + sm + variant + " (binary)";
            default -> "sm_" + sm + variant + " (kind " + kind + ")";
        };
    }

    @Override
    public String toString() {
        return label() + ", " + stored.byteSize() + " bytes " + compression;
    }
}
