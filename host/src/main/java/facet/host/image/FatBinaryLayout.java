package facet.host.image;

/**
 * Where things are in a fat binary, as read from what nvcc 13.0 writes.
 *
 * <pre>
 *   container   +0  u32 magic      +4  u16 version    +6  u16 header bytes   +8  u64 bytes of the entries
 *   entry       +0  u16 kind       +2  u16 version    +4  u32 header bytes   +8  u64 payload bytes
 *               +16 u32 compressed bytes              +28 u32 SM (75 for compute_75)
 *               +40 u64 flags                         +56 u64 bytes when decompressed
 * </pre>
 */
final class FatBinaryLayout {
    static final int CONTAINER_MAGIC = 0xBA55ED50;
    static final int WRAPPER_MAGIC = 0x466243B1;

    static final int VERSION = 1;

    /** In the version: the entries are linked with each other, not chosen from. */
    static final int LINK_SET = 0x8000;

    static final int CONTAINER_VERSION = 4;
    static final int CONTAINER_HEADER = 6;
    static final int CONTAINER_BYTES = 8;
    static final int CONTAINER_HEADER_BYTES = 16;

    static final int KIND = 0;
    static final int HEADER = 4;
    static final int PAYLOAD = 8;
    static final int COMPRESSED = 16;
    static final int SM = 28;
    static final int FLAGS = 40;
    static final int DECOMPRESSED = 56;

    /** What every entry's header has at least. */
    static final int ENTRY_HEADER_BYTES = 64;

    static final int KIND_PTX = 1;
    static final int KIND_ELF = 2;

    /** A whole container, in a link set (docs/session-protocol.md). */
    static final int KIND_CONTAINER = 0x4653;

    static final long FLAG_LZ4 = 0x2000;
    static final long FLAG_ZSTD = 0x8000;

    /** Code for one part only (compute_90a), or for one family (compute_100f). */
    static final long FLAG_ONE_PART = 0x10_0000;

    static final long FLAG_ONE_FAMILY = 0x20_0000;

    private FatBinaryLayout() {}
}
