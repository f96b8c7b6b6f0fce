package facet.ring;

import facet.abi.Constants;
import facet.abi.ContextStatusLayout;
import facet.abi.DeviceRecordLayout;
import facet.abi.ReplySlotLayout;
import facet.abi.RingControlLayout;
import facet.abi.SessionHeaderLayout;

/**
 * Where the parts of a session memory lie; follows from the number of devices alone.
 *
 * <pre>
 *   SessionHeader
 *   ReplySlot[64]
 *   ContextStatus[64]
 *   DeviceRecord[n]
 *   RingControl + data   commands    client → host
 *   RingControl + data   output      host → client, text
 *   RingControl + data   callbacks   host → client
 * </pre>
 */
record SessionLayout(
        int devices,
        int replies,
        int contexts,
        int deviceRecords,
        int commands,
        int output,
        int callbacks,
        int bytes) {
    /** More than any machine has; keeps the sums small. */
    static final int MOST_DEVICES = 1024;

    private static final int LINE = 64;
    private static final int PAGE = 4096;

    static SessionLayout of(int devices) {
        if (devices < 0 || devices > MOST_DEVICES) {
            throw new IllegalArgumentException(devices + " devices in a session");
        }
        int replies = roundUp(SessionHeaderLayout.BYTES, LINE);
        int contexts = replies + Constants.REPLY_SLOTS * ReplySlotLayout.BYTES;
        int records = contexts + Constants.CONTEXTS * ContextStatusLayout.BYTES;
        int commands = roundUp(records + devices * DeviceRecordLayout.BYTES, PAGE);
        int output = ringEnd(commands, Constants.COMMAND_BYTES);
        int callbacks = ringEnd(output, Constants.OUTPUT_BYTES);
        int end = ringEnd(callbacks, Constants.CALLBACK_BYTES);
        return new SessionLayout(
                devices, replies, contexts, records, commands, output, callbacks, end);
    }

    private static int ringEnd(int start, int bytes) {
        return roundUp(start + RingControlLayout.BYTES + bytes, PAGE);
    }

    private static int roundUp(int value, int multiple) {
        return (value + multiple - 1) / multiple * multiple;
    }
}
