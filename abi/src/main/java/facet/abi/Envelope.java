package facet.abi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * What the header of a command says besides type and length.
 *
 * @param slot reply slot + 1, or 0 when nobody waits
 * @param sequence 1, 2, 3 … of the session
 * @param context id of the context, 0 to 63
 */
public record Envelope(int slot, long sequence, int context) {
    /** Bits of a type that number the command; those above number the vocabulary. */
    private static final int COMMAND_BITS = 12;

    public boolean waits() {
        return slot != 0;
    }

    /** Index of the reply slot; only of a command that waits. */
    public int replySlot() {
        if (slot == 0) {
            throw new IllegalStateException("nobody waits for this command");
        }
        return slot - 1;
    }

    /** Type of a record whose length is the one that it claims. */
    public static int type(MemorySegment record) throws MalformedCommand {
        if (record.byteSize() < RecordHeaderLayout.BYTES) {
            throw new MalformedCommand("a record of " + record.byteSize() + " bytes has no header");
        }
        long length =
                Integer.toUnsignedLong(
                        record.get(
                                ValueLayout.JAVA_INT_UNALIGNED, RecordHeaderLayout.LENGTH_OFFSET));
        if (length != record.byteSize()) {
            throw new MalformedCommand(
                    "a record of " + record.byteSize() + " bytes claims to have " + length);
        }
        return unsignedShort(record, RecordHeaderLayout.TYPE_OFFSET);
    }

    /** The number of the vocabulary that a type belongs to. */
    public static int vocabulary(int type) {
        return type >>> COMMAND_BITS;
    }

    /**
     * @param waits whether somebody waits for such commands
     */
    public static Envelope of(MemorySegment record, boolean waits) throws MalformedCommand {
        int slot = unsignedShort(record, RecordHeaderLayout.SLOT_OFFSET);
        if (waits ? slot == 0 || slot > Constants.REPLY_SLOTS : slot != 0) {
            throw new MalformedCommand(
                    "reply slot " + slot + " in a command that " + (waits ? "waits" : "is posted"));
        }
        int context = record.get(ValueLayout.JAVA_INT_UNALIGNED, RecordHeaderLayout.CONTEXT_OFFSET);
        if (context < 0 || context >= Constants.CONTEXTS) {
            throw new MalformedCommand("context " + Integer.toUnsignedString(context));
        }
        long sequence =
                record.get(ValueLayout.JAVA_LONG_UNALIGNED, RecordHeaderLayout.SEQUENCE_OFFSET);
        return new Envelope(slot, sequence, context);
    }

    /** A record with its header; its length is rounded up to a multiple of 8. */
    public static byte[] start(int type, int bytes, int slot, long sequence, int context) {
        int length = Math.addExact(bytes, 7) & -8;
        byte[] record = new byte[length];
        MemorySegment header = MemorySegment.ofArray(record);
        header.set(ValueLayout.JAVA_INT_UNALIGNED, RecordHeaderLayout.LENGTH_OFFSET, length);
        header.set(ValueLayout.JAVA_SHORT_UNALIGNED, RecordHeaderLayout.TYPE_OFFSET, (short) type);
        header.set(ValueLayout.JAVA_SHORT_UNALIGNED, RecordHeaderLayout.SLOT_OFFSET, (short) slot);
        header.set(ValueLayout.JAVA_LONG_UNALIGNED, RecordHeaderLayout.SEQUENCE_OFFSET, sequence);
        header.set(ValueLayout.JAVA_INT_UNALIGNED, RecordHeaderLayout.CONTEXT_OFFSET, context);
        return record;
    }

    private static int unsignedShort(MemorySegment record, int offset) {
        return Short.toUnsignedInt(record.get(ValueLayout.JAVA_SHORT_UNALIGNED, offset));
    }
}
