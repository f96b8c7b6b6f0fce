package facet.pool.link;

/**
 * What a connection carries in each direction, little-endian:
 *
 * <pre>
 *   u8 kind | u32 bytes | ...
 *
 *   DATA    bytes of the lane's stream, from where both sides agreed to go on
 *   ACK     u64 position: all messages before it were received
 *   PING    u64 of the sender's choice
 *   PONG    the same u64
 *   CLOSE   nothing follows in the stream
 * </pre>
 *
 * The stream itself is messages: {@code u32 bytes | bytes}. A message may lie in several chunks, a
 * chunk may hold several messages.
 */
final class Chunks {
    static final byte DATA = 1;
    static final byte ACK = 2;
    static final byte PING = 3;
    static final byte PONG = 4;
    static final byte CLOSE = 5;

    static final int HEAD = 5;

    /** Of the stream in one chunk: so long an acknowledgement may wait behind it. */
    static final int MOST_DATA = 128 << 10;

    /** All kinds but data have at most so many. */
    static final int WORD = Long.BYTES;

    private Chunks() {}
}
