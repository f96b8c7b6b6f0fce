package facet.ring;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import facet.abi.Constants;
import facet.abi.ReplySlotLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/**
 * Answers to calls that wait. Any thread may answer, in any order.
 *
 * <pre>
 *   ReplySlot, 64 bytes
 *     0  state      4   futex: FREE, PENDING, SLEEPING, DONE
 *     4  result     4
 *     8  sequence   8   of the command
 *    16  payload   48
 * </pre>
 */
public final class ReplySlots {
    private static final VarHandle STATE = JAVA_INT.varHandle();

    private final MemorySegment slots;
    private final Parking parking;

    ReplySlots(MemorySegment memory, long offset, Parking parking) {
        slots = memory.asSlice(offset, (long) Constants.REPLY_SLOTS * ReplySlotLayout.BYTES, 8);
        this.parking = parking;
    }

    /**
     * Answers the call that waits at a slot, and wakes it when it sleeps. Whatever the client has
     * written to the slot, this does no more than that.
     *
     * @param slot from 0; that of a header minus 1
     * @param result a CUresult
     */
    public void reply(int slot, long sequence, int result, long... payload) {
        long at = offsetOf(slot);
        Objects.checkFromIndexSize(0, payload.length, ReplySlotLayout.PAYLOAD_COUNT);
        for (int i = 0; i < payload.length; i++) {
            slots.set(JAVA_LONG, at + ReplySlotLayout.PAYLOAD_OFFSET + 8L * i, payload[i]);
        }
        slots.set(JAVA_INT, at + ReplySlotLayout.RESULT_OFFSET, result);
        slots.set(JAVA_LONG, at + ReplySlotLayout.SEQUENCE_OFFSET, sequence);
        int before = (int) STATE.getAndSet(slots, at, Constants.REPLY_DONE);
        if (before == Constants.REPLY_SLEEPING) {
            parking.wake(slots, at);
        }
    }

    // What follows is the client's part.

    void pend(int slot) {
        STATE.setOpaque(slots, offsetOf(slot), Constants.REPLY_PENDING);
    }

    void free(int slot) {
        STATE.setOpaque(slots, offsetOf(slot), Constants.REPLY_FREE);
    }

    boolean isDone(int slot) {
        return (int) STATE.getAcquire(slots, offsetOf(slot)) == Constants.REPLY_DONE;
    }

    void markSleeping(int slot) {
        STATE.compareAndSet(
                slots, offsetOf(slot), Constants.REPLY_PENDING, Constants.REPLY_SLEEPING);
    }

    void sleep(int slot, long nanos) {
        parking.await(slots, offsetOf(slot), Constants.REPLY_SLEEPING, nanos);
    }

    Reply read(int slot) {
        long at = offsetOf(slot);
        long[] payload = new long[ReplySlotLayout.PAYLOAD_COUNT];
        MemorySegment.copy(
                slots, JAVA_LONG, at + ReplySlotLayout.PAYLOAD_OFFSET, payload, 0, payload.length);
        return new Reply(
                slots.get(JAVA_INT, at + ReplySlotLayout.RESULT_OFFSET),
                slots.get(JAVA_LONG, at + ReplySlotLayout.SEQUENCE_OFFSET),
                payload);
    }

    private static long offsetOf(int slot) {
        return (long) Objects.checkIndex(slot, Constants.REPLY_SLOTS) * ReplySlotLayout.BYTES;
    }
}
