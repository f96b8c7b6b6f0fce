package facet.abi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A record that no correct client sends. It ends the session. */
public final class MalformedCommand extends Exception {
    private static final long serialVersionUID = 1;

    public MalformedCommand(String message) {
        super(message);
    }

    public static MalformedCommand unknownType(int type) {
        return new MalformedCommand("unknown command type " + type);
    }

    public static void checkLength(String command, long length, long expected)
            throws MalformedCommand {
        if (length != expected) {
            throw new MalformedCommand(command + " has " + length + " bytes, not " + expected);
        }
    }

    /** Length of the data of a record, which must fill the record up to its multiple of 8. */
    public static int checkData(String command, MemorySegment record, int fixed, int lengthOffset)
            throws MalformedCommand {
        if (record.byteSize() < fixed) {
            throw new MalformedCommand(
                    command + " has " + record.byteSize() + " bytes, less than " + fixed);
        }
        long data =
                Integer.toUnsignedLong(record.get(ValueLayout.JAVA_INT_UNALIGNED, lengthOffset));
        checkLength(command, record.byteSize(), fixed + data + 7 & -8L);
        return (int) data;
    }
}
