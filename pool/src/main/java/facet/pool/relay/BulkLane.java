package facet.pool.relay;

import facet.pool.link.LaneKind;
import facet.pool.link.Link;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Sends data and patches, and counts them: a message of the other lane says how many must have come
 * before it. One thread at a time.
 */
final class BulkLane {
    private final Link link;
    private long sent;

    BulkLane(Link link) {
        this.link = link;
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
        MemorySegment range = memory.asSlice(offset, bytes);
        for (long at = 0; at < bytes; at += Messages.PIECE) {
            int count = (int) Math.min(Messages.PIECE, bytes - at);
            ByteBuffer message = Messages.start(Messages.DATA, context, offset + at, count);
            MemorySegment.copy(
                    range,
                    at,
                    MemorySegment.ofArray(message.array()),
                    message.arrayOffset() + Messages.HEAD,
                    count);
            send(message.position(0));
        }
    }

    static void send(Link link, LaneKind lane, ByteBuffer message) throws IOException {
        try {
            link.send(lane, message);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while sending");
        }
    }
}
