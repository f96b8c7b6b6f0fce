package facet.pool.link;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Takes one connection apart: chunks, and the messages in them. Lengths are a stranger's until they
 * have been looked at; what is kept of them is a message at most.
 */
final class LaneReader {
    private static final int LENGTH = Integer.BYTES;
    private static final int FIRST = 64 << 10;
    private static final int MOST = Lane.MOST_MESSAGE + LENGTH + Chunks.MOST_DATA;

    private final DataInputStream in;
    private final Lane lane;
    private final Lane.Incoming to;

    /** Bytes of the stream that are no whole message yet, from begin to end. */
    private byte[] stream = new byte[FIRST];

    private int begin;
    private int end;

    LaneReader(DataInputStream in, Lane lane, Lane.Incoming to) {
        this.in = in;
        this.lane = lane;
        this.to = to;
    }

    /** Until the other side closes the lane; else an exception says what was wrong. */
    void run() throws IOException {
        while (true) {
            byte kind = in.readByte();
            int bytes = Integer.reverseBytes(in.readInt());
            switch (kind) {
                case Chunks.DATA -> data(bytes);
                case Chunks.ACK -> lane.acknowledged(word(bytes));
                case Chunks.PING -> lane.pinged(word(bytes));
                case Chunks.PONG -> lane.ponged(word(bytes));
                case Chunks.CLOSE -> {
                    lane.peerHasClosed();
                    return;
                }
                default -> throw new LinkViolation("a chunk of kind " + kind);
            }
        }
    }

    private long word(int bytes) throws IOException {
        if (bytes != Chunks.WORD) {
            throw new LinkViolation("a word of " + bytes + " bytes");
        }
        return Long.reverseBytes(in.readLong());
    }

    private void data(int bytes) throws IOException {
        if (bytes <= 0 || bytes > Chunks.MOST_DATA) {
            throw new LinkViolation("a chunk of " + bytes + " bytes");
        }
        makeRoom(bytes);
        in.readFully(stream, end, bytes);
        end += bytes;
        ByteBuffer all = ByteBuffer.wrap(stream).order(ByteOrder.LITTLE_ENDIAN);
        while (end - begin >= LENGTH) {
            int length = all.getInt(begin);
            if (length < 0 || length > Lane.MOST_MESSAGE) {
                throw new LinkViolation("a message of " + length + " bytes");
            }
            if (end - begin - LENGTH < length) {
                break;
            }
            to.message(
                    all.slice(begin + LENGTH, length)
                            .asReadOnlyBuffer()
                            .order(ByteOrder.LITTLE_ENDIAN));
            begin += LENGTH + length;
            lane.delivered(LENGTH + length);
        }
    }

    private void makeRoom(int more) {
        if (begin == end) {
            begin = 0;
            end = 0;
        }
        if (stream.length - end >= more) {
            return;
        }
        int kept = end - begin;
        byte[] next =
                stream.length - kept >= more
                        ? stream
                        : new byte[Math.min(MOST, Math.max(2 * stream.length, kept + more))];
        System.arraycopy(stream, begin, next, 0, kept);
        stream = next;
        begin = 0;
        end = kept;
    }
}
