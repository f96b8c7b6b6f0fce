package facet.pool.piece;

import facet.pool.content.ContentStore;
import facet.pool.content.Tag;
import facet.pool.link.LinkViolation;
import io.airlift.compress.v3.Decompressor;
import io.airlift.compress.v3.MalformedInputException;
import io.airlift.compress.v3.lz4.Lz4JavaDecompressor;
import io.airlift.compress.v3.zstd.ZstdJavaDecompressor;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Makes memory of what {@link PieceWriter} wrote. */
public final class PieceReader {
    private final ContentStore.@Nullable Shelf shelf;
    private final Decompressor lz4 = new Lz4JavaDecompressor();
    private final Decompressor zstd = new ZstdJavaDecompressor();
    private byte[] packed = new byte[0];
    private byte[] input = new byte[0];
    private byte[] plain = new byte[0];

    /**
     * @param shelf where pieces are kept; null: nowhere
     */
    public PieceReader(ContentStore.@Nullable Shelf shelf) {
        this.shelf = shelf;
    }

    /**
     * Reads a piece.
     *
     * @param message from the piece on, to its end
     * @param to is shown the piece, when it is there
     * @return how long the piece is; minus that when it was named and is not here
     * @throws LinkViolation when no writer has written it
     */
    public int read(ByteBuffer message, ContentStore.Reader to) throws IOException {
        if (message.remaining() < Forms.HEAD) {
            throw new LinkViolation("a piece that is cut off");
        }
        int length = message.getInt();
        int form = message.getInt();
        if (length <= 0 || length > Forms.PIECE || (form & ~Forms.ALL) != 0) {
            throw new LinkViolation("a piece of " + length + " bytes in form " + form);
        }
        long mask = Forms.allPages(length);
        if ((form & Forms.MASKED) != 0) {
            need(message, Long.BYTES);
            mask = message.getLong();
            if ((mask & ~Forms.allPages(length)) != 0) {
                throw new LinkViolation("a piece with pages behind its end");
            }
        }
        Tag tag = null;
        if ((form & (Forms.TAGGED | Forms.KNOWN)) != 0) {
            need(message, Tag.BYTES);
            tag = new Tag(message.getLong(), message.getLong());
            if (shelf == null) {
                throw new LinkViolation("a tag where nothing is kept");
            }
        }
        if (tag != null && shelf != null && (form & Forms.KNOWN) != 0) {
            return shelf.read(tag, length, to) ? length : -length;
        }
        MemorySegment piece =
                unpack(unsqueezed(message, form, Forms.bytesOf(mask, length)), mask, length);
        if (tag != null && shelf != null) {
            shelf.keep(tag, piece);
        }
        to.read(piece);
        return length;
    }

    private static void need(ByteBuffer message, int bytes) throws LinkViolation {
        if (message.remaining() < bytes) {
            throw new LinkViolation("a piece that is cut off");
        }
    }

    /** The pages that are there. */
    private MemorySegment unsqueezed(ByteBuffer message, int form, int count) throws LinkViolation {
        if ((form & (Forms.LZ4 | Forms.ZSTD)) == 0) {
            if (message.remaining() != count) {
                throw new LinkViolation(
                        "a piece of " + count + " bytes that has " + message.remaining());
            }
            return MemorySegment.ofBuffer(message);
        }
        if (message.remaining() > Forms.PIECE) {
            throw new LinkViolation("a compressed piece of " + message.remaining() + " bytes");
        }
        if (packed.length == 0) {
            packed = new byte[Forms.PIECE];
            input = new byte[Forms.PIECE];
        }
        int bytes = message.remaining();
        message.get(input, 0, bytes);
        try {
            Decompressor way = (form & Forms.LZ4) != 0 ? lz4 : zstd;
            if (way.decompress(input, 0, bytes, packed, 0, count) != count) {
                throw new LinkViolation("a compressed piece that is too short");
            }
        } catch (MalformedInputException | IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new LinkViolation("a piece that cannot be decompressed: " + e.getMessage());
        }
        return MemorySegment.ofArray(packed).asSlice(0, count);
    }

    private MemorySegment unpack(MemorySegment pages, long mask, int length) {
        if (mask == Forms.allPages(length)) {
            return pages;
        }
        if (plain.length == 0) {
            plain = new byte[Forms.PIECE];
        }
        MemorySegment whole = MemorySegment.ofArray(plain).asSlice(0, length);
        int from = 0;
        for (int page = 0, at = 0; at < length; page++, at += Forms.PAGE) {
            int count = Math.min(Forms.PAGE, length - at);
            if ((mask >>> page & 1) != 0) {
                MemorySegment.copy(pages, from, whole, at, count);
                from += count;
            } else {
                whole.asSlice(at, count).fill((byte) 0);
            }
        }
        return whole;
    }
}
