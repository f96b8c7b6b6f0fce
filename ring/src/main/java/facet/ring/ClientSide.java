package facet.ring;

import facet.abi.Command;
import facet.abi.Constants;
import facet.os.SharedMemoryUnsafe;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.BitSet;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A client in Java: for tests and benchmarks of the host's side, and for nodes that pass on the
 * commands of a program elsewhere. Does what the C library does. Any thread may post and call; the
 * readers belong to one thread each.
 */
public final class ClientSide implements AutoCloseable {
    private final SharedMemoryUnsafe memory;
    private final SessionLayout layout;
    private final RingWriter commands;
    private final TextReader output;
    private final RingReader callbacks;
    private final ReplySlots replies;
    private final ThreadLocal<WaitStrategy> waiting = ThreadLocal.withInitial(WaitStrategy::new);
    private final BitSet taken = new BitSet(Constants.REPLY_SLOTS);
    private long sequence;

    private ClientSide(SharedMemoryUnsafe memory, SessionLayout layout) {
        this.memory = memory;
        this.layout = layout;
        MemorySegment segment = memory.segment();
        commands = new RingWriter(SessionMemory.commandRing(segment, layout), new WaitStrategy());
        output = new TextReader(SessionMemory.outputRing(segment, layout));
        callbacks = new RingReader(SessionMemory.callbackRing(segment, layout), new WaitStrategy());
        replies = new ReplySlots(segment, layout.replies(), Parking.FUTEX);
    }

    /**
     * Maps the memory of a session.
     *
     * @param descriptor is taken over, and closed when this fails
     */
    public static ClientSide attach(int descriptor) throws IOException, MalformedRecord {
        SharedMemoryUnsafe memory = SharedMemoryUnsafe.attach(descriptor);
        try {
            return new ClientSide(memory, SessionHeaders.check(memory.segment()));
        } catch (MalformedRecord | RuntimeException e) {
            memory.close();
            throw e;
        }
    }

    /** Sends a command that has no answer. */
    public void post(int context, Command command, Duration timeout)
            throws MalformedRecord, TimeoutException {
        send(0, context, command, timeout);
    }

    /** Sends a command and waits for its answer. */
    public Reply call(int context, Command command, Duration timeout)
            throws MalformedRecord, TimeoutException {
        int slot = takeSlot();
        replies.pend(slot);
        send(slot + 1, context, command, timeout);
        if (!waiting.get().await(new ReplyWait(replies, slot), timeout.toNanos())) {
            // The slot stays taken: a late answer must not hit another call.
            throw new TimeoutException("no answer to " + command + " within " + timeout);
        }
        Reply reply = replies.read(slot);
        replies.free(slot);
        synchronized (taken) {
            taken.clear(slot);
        }
        return reply;
    }

    private int takeSlot() {
        synchronized (taken) {
            int slot = taken.nextClearBit(0);
            if (slot >= Constants.REPLY_SLOTS) {
                throw new IllegalStateException("more than 64 calls wait at the same time");
            }
            taken.set(slot);
            return slot;
        }
    }

    private void send(int slot, int context, Command command, Duration timeout)
            throws MalformedRecord, TimeoutException {
        synchronized (commands) {
            sequence++;
            byte[] record = command.encode(slot, sequence, context);
            if (!commands.offer(MemorySegment.ofArray(record), timeout.toNanos())) {
                throw new TimeoutException("no room for " + command + " within " + timeout);
            }
        }
    }

    // ---- commands of another client, which numbers them and takes its slots

    /**
     * Sends a record of another client. One thread at a time.
     *
     * @param slot where the other one waits for the answer; -1: nobody does
     * @return false when there is no room for it, or the side was closed
     */
    public boolean forward(MemorySegment record, int slot, Duration timeout)
            throws MalformedRecord {
        if (slot >= 0) {
            replies.pend(slot);
        }
        synchronized (commands) {
            return commands.offer(record, timeout.toNanos());
        }
    }

    /** The answer at a slot; null when there is none in time. */
    public @Nullable Reply await(int slot, Duration timeout) {
        return waiting.get().await(new ReplyWait(replies, slot), timeout.toNanos())
                ? replies.read(slot)
                : null;
    }

    public MemorySegment segment() {
        return memory.segment();
    }

    public TextReader output() {
        return output;
    }

    public RingReader callbacks() {
        return callbacks;
    }

    public ContextStatus contextStatus(int context) {
        return SessionMemory.status(memory.segment(), layout, context);
    }

    public DeviceSnapshot device(int ordinal) {
        return SessionHeaders.readDevice(memory.segment(), layout, ordinal);
    }

    @Override
    public void close() {
        commands.close();
        callbacks.close();
        memory.close();
    }
}
