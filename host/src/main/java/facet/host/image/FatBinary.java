package facet.host.image;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A fat binary taken apart; nothing is decompressed yet. */
public record FatBinary(List<FatBinaryEntry> entries) {
    private static final ValueLayout.OfShort U16 =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt U32 =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong U64 =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** More entries than any compiler makes: nvcc knows some thirty architectures. */
    private static final int MOST_ENTRIES = 4096;

    public static boolean isOne(byte[] image) {
        return image.length >= Integer.BYTES
                && MemorySegment.ofArray(image).get(U32, 0) == FatBinaryLayout.CONTAINER_MAGIC;
    }

    static boolean isLinkSet(byte[] image) {
        return isOne(image)
                && image.length >= FatBinaryLayout.CONTAINER_HEADER_BYTES
                && (u16(MemorySegment.ofArray(image), FatBinaryLayout.CONTAINER_VERSION)
                                & FatBinaryLayout.LINK_SET)
                        != 0;
    }

    /** Reads one container, or several one behind the other. */
    public static FatBinary parse(byte[] image) throws ImageException {
        return parse(image, FatBinaryLayout.VERSION);
    }

    /** Reads a container whose entries belong together. */
    static FatBinary parseLinkSet(byte[] image) throws ImageException {
        return parse(image, FatBinaryLayout.VERSION | FatBinaryLayout.LINK_SET);
    }

    private static FatBinary parse(byte[] image, int version) throws ImageException {
        MemorySegment memory = MemorySegment.ofArray(image);
        List<FatBinaryEntry> entries = new ArrayList<>();
        long at = 0;
        do {
            at = container(memory, at, version, entries);
        } while (at + FatBinaryLayout.CONTAINER_HEADER_BYTES <= memory.byteSize()
                && memory.get(U32, at) == FatBinaryLayout.CONTAINER_MAGIC);
        return new FatBinary(List.copyOf(entries));
    }

    private static long container(
            MemorySegment memory, long start, int expected, List<FatBinaryEntry> entries)
            throws ImageException {
        if (memory.byteSize() - start < FatBinaryLayout.CONTAINER_HEADER_BYTES
                || memory.get(U32, start) != FatBinaryLayout.CONTAINER_MAGIC) {
            throw ImageException.malformed("not a fat binary");
        }
        int version = u16(memory, start + FatBinaryLayout.CONTAINER_VERSION);
        if (version != expected) {
            throw ImageException.malformed(
                    "a fat binary of version " + version + "; " + expected + " is known here");
        }
        int header = u16(memory, start + FatBinaryLayout.CONTAINER_HEADER);
        long bytes = memory.get(U64, start + FatBinaryLayout.CONTAINER_BYTES);
        if (header < FatBinaryLayout.CONTAINER_HEADER_BYTES
                || header > memory.byteSize() - start
                || bytes < 0
                || bytes > memory.byteSize() - start - header) {
            throw ImageException.malformed(
                    "a fat binary of " + bytes + " bytes in an image of " + memory.byteSize());
        }
        long end = start + header + bytes;
        long at = start + header;
        while (at < end) {
            if (entries.size() == MOST_ENTRIES) {
                throw ImageException.malformed("more than " + MOST_ENTRIES + " entries");
            }
            at = entry(memory, at, end, entries);
        }
        return end;
    }

    private static long entry(MemorySegment memory, long at, long end, List<FatBinaryEntry> entries)
            throws ImageException {
        if (end - at < FatBinaryLayout.ENTRY_HEADER_BYTES) {
            throw ImageException.malformed("an entry is cut off at " + at);
        }
        long header = memory.get(U32, at + FatBinaryLayout.HEADER) & 0xFFFF_FFFFL;
        long payload = memory.get(U64, at + FatBinaryLayout.PAYLOAD);
        if (header < FatBinaryLayout.ENTRY_HEADER_BYTES
                || header > end - at
                || payload < 0
                || payload > end - at - header) {
            throw ImageException.malformed(
                    "the entry at " + at + " has " + payload + " bytes, more than are there");
        }
        long flags = memory.get(U64, at + FatBinaryLayout.FLAGS);
        long stored = memory.get(U32, at + FatBinaryLayout.COMPRESSED) & 0xFFFF_FFFFL;
        Compression compression = Compression.of(flags);
        if (compression == Compression.NONE || stored == 0) {
            stored = payload;
        } else if (stored > payload) {
            throw ImageException.malformed(
                    "the entry at " + at + " has " + stored + " compressed bytes of " + payload);
        }
        entries.add(
                new FatBinaryEntry(
                        u16(memory, at + FatBinaryLayout.KIND),
                        memory.get(U32, at + FatBinaryLayout.SM),
                        flags,
                        compression,
                        memory.asSlice(at + header, stored),
                        memory.get(U64, at + FatBinaryLayout.DECOMPRESSED)));
        return at + header + payload;
    }

    private static int u16(MemorySegment memory, long at) {
        return Short.toUnsignedInt(memory.get(U16, at));
    }

    /**
     * The PTX for the newest architecture that a device of this compute capability (89 for 8.9)
     * still runs. PTX runs on its own and all later devices, except for code of one part or family.
     */
    public Optional<FatBinaryEntry> bestPtx(int computeCapability) {
        return entries.stream()
                .filter(each -> each.isPtx() && !each.isSpecific())
                .filter(each -> each.sm() > 0 && each.sm() <= computeCapability)
                .max(Comparator.comparingInt(FatBinaryEntry::sm));
    }

    /** The PTX that most devices run. */
    Optional<FatBinaryEntry> oldestPtx() {
        return entries.stream()
                .filter(each -> each.isPtx() && !each.isSpecific() && each.sm() > 0)
                .min(Comparator.comparingInt(FatBinaryEntry::sm));
    }

    /** For messages: {@code sm_90 (binary), compute_90a (PTX)}. */
    String contents() {
        return entries.isEmpty()
                ? "nothing"
                : String.join(
                        ", ", entries.stream().map(FatBinaryEntry::label).distinct().toList());
    }
}
