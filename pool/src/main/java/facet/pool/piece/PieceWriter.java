package facet.pool.piece;

import facet.pool.content.ContentScope;
import facet.pool.content.Tag;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Writes pieces of memory. The memory is read once: whoever writes it meanwhile changes nothing.
 */
public final class PieceWriter {
    /** What is smaller is sent as quickly as it is looked up. */
    private static final int LEAST_KEPT = 8 << 10;

    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final @Nullable ContentScope scope;
    private final Squeeze squeeze;
    private final byte[] plain = new byte[Forms.PIECE];
    private final byte[] packed = new byte[Forms.PIECE];
    private final int before;
    private final ByteBuffer message;

    /**
     * @param scope what the other node has; null: nothing is kept there
     * @param before bytes that a message has before the piece
     */
    public PieceWriter(@Nullable ContentScope scope, Road road, int before) {
        this.scope = scope;
        this.before = before;
        squeeze = new Squeeze(road);
        int head = before + Forms.HEAD + Long.BYTES + Tag.BYTES;
        message =
                ByteBuffer.allocate(head + squeeze.mostBytes(Forms.PIECE))
                        .order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Most bytes of a piece. */
    public static int mostBytes() {
        return Forms.PIECE;
    }

    /**
     * The message for a piece, with room at its beginning for what its user puts there.
     *
     * @param named whether it may be named when the other node has it
     * @return valid until the next call
     */
    public ByteBuffer write(MemorySegment memory, long offset, int length, boolean named) {
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, offset, plain, 0, length);
        message.clear().position(before);
        long mask = usedPages(length);
        int form = mask == Forms.allPages(length) ? 0 : Forms.MASKED;
        Tag tag = null;
        ContentScope known = scope;
        if (known != null && mask != 0 && length >= LEAST_KEPT) {
            tag = known.tag(plain, 0, length);
            if (known.sent(tag) && named) {
                return head(length, Forms.KNOWN).putLong(tag.high()).putLong(tag.low()).flip();
            }
            form |= Forms.TAGGED;
        }
        byte[] bytes = form == 0 || form == Forms.TAGGED ? plain : pack(mask, length);
        int count = Forms.bytesOf(mask, length);
        int place = message.position();
        int body =
                place
                        + Forms.HEAD
                        + ((form & Forms.MASKED) != 0 ? Long.BYTES : 0)
                        + (tag != null ? Tag.BYTES : 0);
        long squeezed = squeeze.compress(bytes, count, message.array(), body);
        form |= (int) squeezed & 0xff;
        head(length, form);
        if ((form & Forms.MASKED) != 0) {
            message.putLong(mask);
        }
        if (tag != null) {
            message.putLong(tag.high()).putLong(tag.low());
        }
        if (squeezed == 0) {
            message.put(bytes, 0, count);
        } else {
            message.position(body + (int) (squeezed >>> 8));
        }
        return message.flip();
    }

    private ByteBuffer head(int length, int form) {
        return message.putInt(length).putInt(form);
    }

    /** A bit for each page that is not zeros alone. */
    private long usedPages(int length) {
        long mask = 0;
        for (int page = 0, at = 0; at < length; page++, at += Forms.PAGE) {
            if (isUsed(at, Math.min(length, at + Forms.PAGE))) {
                mask |= 1L << page;
            }
        }
        return mask;
    }

    private boolean isUsed(int from, int end) {
        int at = from;
        for (; at + 4 * Long.BYTES <= end; at += 4 * Long.BYTES) {
            long any =
                    (long) LONG.get(plain, at)
                            | (long) LONG.get(plain, at + Long.BYTES)
                            | (long) LONG.get(plain, at + 2 * Long.BYTES)
                            | (long) LONG.get(plain, at + 3 * Long.BYTES);
            if (any != 0) {
                return true;
            }
        }
        for (; at < end; at++) {
            if (plain[at] != 0) {
                return true;
            }
        }
        return false;
    }

    private byte[] pack(long mask, int length) {
        int to = 0;
        for (int page = 0, at = 0; at < length; page++, at += Forms.PAGE) {
            if ((mask >>> page & 1) != 0) {
                int count = Math.min(Forms.PAGE, length - at);
                System.arraycopy(plain, at, packed, to, count);
                to += count;
            }
        }
        return packed;
    }
}
