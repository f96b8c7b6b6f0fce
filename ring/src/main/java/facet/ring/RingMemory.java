package facet.ring;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import facet.abi.RingControlLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * Control block and data of a ring with one producer and one consumer.
 *
 * <pre>
 *   RingControl, 256 bytes; what the two sides write lies 64 bytes apart
 *     0  head           8   producer: all bytes before this position are published
 *    64  tail           8   consumer: all bytes before this position are free again
 *   128  readerSleeps   4   futex: 1 while the consumer sleeps for data
 *   192  writerSleeps   4   futex: 1 while the producer sleeps for room
 *   196  bytes          4   of the data that follows, a power of two
 *
 *   Record, at position &amp; (bytes - 1), a multiple of 8
 *     0  length         4   with this header, a multiple of 8
 *     4  type           2   0: padding up to the end of the data, may be only 8 bytes long
 *     6  slot           2   reply slot + 1, or 0
 *     8  sequence       8
 *    16  context        4
 *    20  unused         4
 *    24  fields of the type
 * </pre>
 *
 * Positions never wrap. A record never crosses the end of the data.
 */
final class RingMemory {
    private static final VarHandle LONG = JAVA_LONG.varHandle();
    private static final VarHandle INT = JAVA_INT.varHandle();
    private static final int ASLEEP = 1;

    private final MemorySegment control;
    private final MemorySegment data;
    private final Parking parking;
    private final int bytes;

    /**
     * @param bytes of the data; never read from the memory itself
     */
    RingMemory(MemorySegment memory, long offset, int bytes, Parking parking) {
        if (bytes < 64 || Integer.bitCount(bytes) != 1) {
            throw new IllegalArgumentException("a ring of " + bytes + " bytes");
        }
        control = memory.asSlice(offset, RingControlLayout.BYTES, 8);
        data = memory.asSlice(offset + RingControlLayout.BYTES, bytes, 8);
        this.bytes = bytes;
        this.parking = parking;
    }

    /** Writes the control block of an empty ring. */
    void format() {
        control.fill((byte) 0);
        control.set(JAVA_INT, RingControlLayout.BYTES_OFFSET, bytes);
    }

    MemorySegment data() {
        return data;
    }

    int bytes() {
        return bytes;
    }

    int index(long position) {
        return (int) position & (bytes - 1);
    }

    long head() {
        return (long) LONG.getAcquire(control, (long) RingControlLayout.HEAD_OFFSET);
    }

    void publishHead(long position) {
        LONG.setRelease(control, (long) RingControlLayout.HEAD_OFFSET, position);
    }

    long tail() {
        return (long) LONG.getAcquire(control, (long) RingControlLayout.TAIL_OFFSET);
    }

    void publishTail(long position) {
        LONG.setRelease(control, (long) RingControlLayout.TAIL_OFFSET, position);
    }

    /** Called after head was published. */
    void wakeReader() {
        wakeIfAsleep(RingControlLayout.READER_SLEEPS_OFFSET);
    }

    /** Called after tail was published. */
    void wakeWriter() {
        wakeIfAsleep(RingControlLayout.WRITER_SLEEPS_OFFSET);
    }

    /**
     * The sleeper sets its flag, fences, and looks at the position; here the position is stored,
     * then fenced, and the flag looked at. One of the two sees the other.
     */
    private void wakeIfAsleep(long flag) {
        VarHandle.fullFence();
        if ((int) INT.getOpaque(control, flag) != 0) {
            wake(flag);
        }
    }

    /**
     * Wakes a sleeper whatever the flag says: another process may have changed it. A sleeper that
     * sets its flag after this has cleared it sees what was stored before.
     */
    void wakeReaderAlways() {
        VarHandle.fullFence();
        wake(RingControlLayout.READER_SLEEPS_OFFSET);
    }

    void wakeWriterAlways() {
        VarHandle.fullFence();
        wake(RingControlLayout.WRITER_SLEEPS_OFFSET);
    }

    private void wake(long flag) {
        INT.setOpaque(control, flag, 0);
        parking.wake(control, flag);
    }

    void readerSleeps(boolean asleep) {
        mark(RingControlLayout.READER_SLEEPS_OFFSET, asleep);
    }

    void writerSleeps(boolean asleep) {
        mark(RingControlLayout.WRITER_SLEEPS_OFFSET, asleep);
    }

    private void mark(long flag, boolean asleep) {
        INT.setOpaque(control, flag, asleep ? ASLEEP : 0);
        VarHandle.fullFence();
    }

    void sleepAsReader(long nanos) {
        parking.await(control, RingControlLayout.READER_SLEEPS_OFFSET, ASLEEP, nanos);
    }

    void sleepAsWriter(long nanos) {
        parking.await(control, RingControlLayout.WRITER_SLEEPS_OFFSET, ASLEEP, nanos);
    }
}
