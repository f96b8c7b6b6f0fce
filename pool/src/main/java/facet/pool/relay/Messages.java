package facet.pool.relay;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What the two halves of a session say to each other, little-endian. The first byte is the kind, a
 * word at 4 mostly the context, at 8 is how many bulk messages must have been handled before.
 *
 * <pre>
 *   commands, to the device's node
 *     OPEN      kind . . . pid:u32 0:u64 | scope:u64[2] slice, 0, program, 0
 *     BATCH     kind . . . 0:u32   needs:u64 | records, see facet.pool.template
 *   commands, back
 *     REPLY     kind . . . slot:u32 needs:u64 | sequence:u64 result:i32 0:u32 payload:u64[6]
 *     STATUS    kind . . . context:u32 needs:u64 | version:u64 fault:i32 0:u32 retired:u64 used:u64 returned:u64 busy:u64
 *     CALLBACK  kind . . . 0:u32 needs:u64 | token:u64
 *     TEXT      kind . . . 0:u32 needs:u64 | what kernels printed
 *     END       kind . . . 0:u32 needs:u64 | why
 *     MISSING   kind . . . context:u32 needs:u64 | number:u64 offset:u64 length:u32 0:u32
 *   bulk, both ways
 *     DATA      kind . . . context:u32 offset:u64 -1:i64 | a piece, see facet.pool.piece
 *     PATCH     kind . . . context:u32 | blocks, see SharedRanges
 *   bulk, to the device's node
 *     SHARE     kind . . . context:u32 offset:u64 | bytes:u64
 *     UNSHARE   kind . . . context:u32 offset:u64
 *     AGAIN     kind . . . context:u32 offset:u64 number:u64 | the piece of which that was missing
 * </pre>
 */
final class Messages {
    static final byte OPEN = 1;
    static final byte BATCH = 2;
    static final byte REPLY = 3;
    static final byte STATUS = 4;
    static final byte CALLBACK = 5;
    static final byte TEXT = 6;
    static final byte END = 7;
    static final byte DATA = 8;
    static final byte PATCH = 9;
    static final byte SHARE = 10;
    static final byte UNSHARE = 11;
    static final byte MISSING = 12;
    static final byte AGAIN = 13;

    static final int HEAD = 16;
    static final int PATCH_HEAD = 8;
    static final int PIECE_HEAD = 24;

    /** Of text or patches in one message. */
    static final int PIECE = 256 << 10;

    /** Commands that travel together. */
    static final int BATCH_BYTES = 128 << 10;

    /** A batch is closed by the record that makes it so long. */
    static final int MOST_RECORD = facet.abi.Constants.COMMAND_BYTES / 2;

    /** Pieces that may be missing at once: more than a session may have of staging memory. */
    static final int MOST_MISSING = 4096;

    private Messages() {}

    /** An empty message with room behind its head. */
    static ByteBuffer start(byte kind, int word, long second, int more) {
        return ByteBuffer.allocate(HEAD + more)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(0, kind)
                .putInt(4, word)
                .putLong(8, second)
                .position(HEAD);
    }
}
