package facet.pool.link;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The first bytes on a connection, behind the handshake of TLS.
 *
 * <pre>
 *   u32 magic | u16 version | u8 lane | u8 new | u64 u64 link | u64 received       who calls
 *   u8 status | 7 bytes 0 | u64 received                                           who answers
 * </pre>
 *
 * @param isNew whether the other side may not know the link yet
 * @param link 128 random bits
 * @param received up to where the caller has the other side's stream
 */
@SuppressWarnings("EnumOrdinal") // their order is part of the version
record Hello(LaneKind lane, boolean isNew, LinkId link, long received) {
    static final int BYTES = 32;
    static final int ANSWER_BYTES = 16;
    private static final int MAGIC = 0x4c_54_43_46; // FCTL
    private static final short VERSION = 2;

    /** What is answered. */
    enum Status {
        WELCOME,
        /** There is no such link, or another member's. */
        UNKNOWN,
        /** Come again. */
        BUSY,
        /** Another version of Facet. */
        OTHER_VERSION
    }

    /**
     * @param received up to where the side that answers has the caller's stream
     */
    record Answer(Status status, long received) {
        byte[] bytes() {
            return ByteBuffer.allocate(ANSWER_BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(status.ordinal())
                    .putLong(received)
                    .array();
        }

        static Answer of(byte[] bytes) throws LinkViolation {
            ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            long status = in.getLong();
            if (status < 0 || status >= Status.values().length) {
                throw new LinkViolation("an answer with status " + status);
            }
            return new Answer(Status.values()[(int) status], in.getLong());
        }
    }

    byte[] bytes() {
        return ByteBuffer.allocate(BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(MAGIC)
                .putShort(VERSION)
                .put((byte) lane.ordinal())
                .put((byte) (isNew ? 1 : 0))
                .putLong(link.high())
                .putLong(link.low())
                .putLong(received)
                .array();
    }

    static boolean isOtherVersion(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getShort(4) != VERSION;
    }

    static Hello of(byte[] bytes) throws LinkViolation {
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int magic = in.getInt();
        in.getShort();
        int lane = in.get();
        int isNew = in.get();
        if (magic != MAGIC
                || lane < 0
                || lane >= LaneKind.values().length
                || isNew < 0
                || isNew > 1) {
            throw new LinkViolation("a greeting that is none");
        }
        return new Hello(
                LaneKind.values()[lane],
                isNew == 1,
                new LinkId(in.getLong(), in.getLong()),
                in.getLong());
    }
}
