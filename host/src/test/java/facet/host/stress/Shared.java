package facet.host.stress;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import facet.abi.Constants;
import facet.abi.ReplySlotLayout;
import facet.abi.RingControlLayout;
import facet.abi.SessionHeaderLayout;
import facet.ring.RingReader;
import facet.ring.RingWriter;
import facet.ring.SessionMemory;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Who sleeps at the moment, and how far the rings are, as the session memory tells. Before the
 * client maps it the rings are made as small as is asked for: small ones are full, or empty, all
 * the time.
 */
final class Shared {
    private static final VarHandle INT = JAVA_INT.varHandle();
    private static final VarHandle LONG = JAVA_LONG.varHandle();
    private static final long PAUSE_NANOS = 20_000;

    private final MemorySegment memory;
    private final int replies;

    /** One of the two rings of records. Reader and writer are made once. */
    final class Ring {
        private final int control;

        private final int bytes;

        private Ring(int offsetOfItsOffset, int bytes) {
            control = memory.get(JAVA_INT, offsetOfItsOffset);
            this.bytes = bytes;
            memory.set(JAVA_INT, control + RingControlLayout.BYTES_OFFSET, bytes);
        }

        RingReader reader() {
            return RingReader.of(memory, control, bytes);
        }

        RingWriter writer() {
            return RingWriter.of(memory, control, bytes);
        }

        int bytes() {
            return bytes;
        }

        boolean readerSleeps() {
            return isSet(control + RingControlLayout.READER_SLEEPS_OFFSET);
        }

        boolean writerSleeps() {
            return isSet(control + RingControlLayout.WRITER_SLEEPS_OFFSET);
        }

        long head() {
            return (long) LONG.getVolatile(memory, (long) control + RingControlLayout.HEAD_OFFSET);
        }

        long tail() {
            return (long) LONG.getVolatile(memory, (long) control + RingControlLayout.TAIL_OFFSET);
        }

        private boolean isSet(long word) {
            return (int) INT.getVolatile(memory, word) != 0;
        }
    }

    final Ring commands;
    final Ring callbacks;

    Shared(SessionMemory session, int ringBytes) {
        memory = session.segment();
        replies = memory.get(JAVA_INT, SessionHeaderLayout.REPLY_OFFSET_OFFSET);
        commands = new Ring(SessionHeaderLayout.COMMAND_OFFSET_OFFSET, ringBytes);
        callbacks =
                new Ring(
                        SessionHeaderLayout.CALLBACK_OFFSET_OFFSET,
                        Math.min(ringBytes, Constants.CALLBACK_BYTES));
    }

    boolean callerSleeps(int slot) {
        long state = replies + (long) slot * ReplySlotLayout.BYTES;
        return (int) INT.getVolatile(memory, state) == Constants.REPLY_SLEEPING;
    }

    /** For what the other side is sure to do. */
    static void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
