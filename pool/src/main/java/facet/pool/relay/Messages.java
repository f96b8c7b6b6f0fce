package facet.pool.relay;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What the two halves of a session say to each other, little-endian. The first byte is the kind, a
 * word at 4 mostly the context, at 8 is how many bulk messages must have been handled before.
 *
 * <pre>
 *   commands, to the device's node
 *     OPEN      kind . . . pid:u32 | slice, 0, program, 0
 *     RECORD    kind . . . 0:u32   needs:u64 | the record
 *   commands, back
 *     REPLY     kind . . . slot:u32 needs:u64 | sequence:u64 result:i32 0:u32 payload:u64[6]
 *     STATUS    kind . . . context:u32 needs:u64 | version:u64 fault:i32 0:u32 retired:u64 used:u64 returned:u64 busy:u64
 *     CALLBACK  kind . . . 0:u32 needs:u64 | token:u64
 *     TEXT      kind . . . 0:u32 needs:u64 | what kernels printed
 *     END       kind . . . 0:u32 needs:u64 | why
 *   bulk, both ways
 *     DATA      kind . . . context:u32 offset:u64 | bytes
 *     PATCH     kind . . . context:u32 | blocks, see SharedRanges
 *   bulk, to the device's node
 *     SHARE     kind . . . context:u32 offset:u64 | bytes:u64
 *     UNSHARE   kind . . . context:u32 offset:u64
 * </pre>
 */
final class Messages {
    static final byte OPEN = 1;
    static final byte RECORD = 2;
    static final byte REPLY = 3;
    static final byte STATUS = 4;
    static final byte CALLBACK = 5;
    static final byte TEXT = 6;
    static final byte END = 7;
    static final byte DATA = 8;
    static final byte PATCH = 9;
    static final byte SHARE = 10;
    static final byte UNSHARE = 11;

    static final int HEAD = 16;
    static final int PATCH_HEAD = 8;

    /** Of data in one message. */
    static final int PIECE = 256 << 10;

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
