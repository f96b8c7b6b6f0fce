package facet.pool.relay;

import facet.pool.content.ContentScope;
import facet.pool.link.LaneKind;
import facet.pool.link.Link;
import facet.pool.piece.PieceWriter;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Sends data and patches, and counts them: a message of the other lane says how many must have come
 * before it. One thread at a time.
 */
final class BulkLane {
    private final Link link;
    private final @Nullable ContentScope scope;

    /** Made when there is data: it has buffers, and a link may wait for long to be used. */
    private @Nullable PieceWriter pieces;

    private long sent;

    /**
     * @param scope what the other side keeps of this one's data; null: nothing
     */
    BulkLane(Link link, @Nullable ContentScope scope) {
        this.link = link;
        this.scope = scope;
    }

    private PieceWriter pieces() {
        PieceWriter made = pieces;
        if (made == null) {
            made =
                    new PieceWriter(
                            scope, () -> link.bytesPerSecond(LaneKind.BULK), Messages.PIECE_HEAD);
            pieces = made;
        }
        return made;
    }

    long sent() {
        return sent;
    }

    void send(ByteBuffer message) throws IOException {
        send(link, LaneKind.BULK, message);
        sent++;
    }

    /** A range of a context's memory. */
    void data(int context, MemorySegment memory, long offset, long bytes) throws IOException {
        for (long at = 0; at < bytes; at += PieceWriter.mostBytes()) {
            int count = (int) Math.min(PieceWriter.mostBytes(), bytes - at);
            piece(Messages.DATA, context, memory, offset + at, count, -1);
        }
    }

    /** A piece that was named, and that the other side does not have. */
    void again(int context, MemorySegment memory, long offset, int bytes, long number)
            throws IOException {
        piece(Messages.AGAIN, context, memory, offset, bytes, number);
    }

    private void piece(
            byte kind, int context, MemorySegment memory, long offset, int bytes, long number)
            throws IOException {
        ByteBuffer message = pieces().write(memory, offset, bytes, kind == Messages.DATA);
        message.putInt(0, kind).putInt(4, context).putLong(8, offset).putLong(16, number);
        link.reduction().sent(message.remaining(), Messages.PIECE_HEAD + bytes);
        send(message);
    }

    static void send(Link link, LaneKind lane, ByteBuffer message) throws IOException {
        send(link, lane, message, 0);
    }

    static void send(Link link, LaneKind lane, ByteBuffer message, long weight) throws IOException {
        try {
            link.send(lane, message, weight);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while sending");
        }
    }
}
