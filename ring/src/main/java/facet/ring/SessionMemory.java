package facet.ring;

import facet.abi.Constants;
import facet.abi.ContextStatusLayout;
import facet.os.SharedMemoryUnsafe;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;

/** The memory of a session, as its host uses it. {@link ClientSide} is the other side. */
public final class SessionMemory implements AutoCloseable {
    private final SharedMemoryUnsafe memory;
    private final int devices;
    private final RingReader commands;
    private final TextWriter output;
    private final RingWriter callbacks;
    private final ReplySlots replies;
    private final ContextStatus[] contexts = new ContextStatus[Constants.CONTEXTS];

    private SessionMemory(SharedMemoryUnsafe memory, SessionLayout layout) {
        this.memory = memory;
        devices = layout.devices();
        MemorySegment segment = memory.segment();
        commands = new RingReader(commandRing(segment, layout), new WaitStrategy());
        output = new TextWriter(outputRing(segment, layout));
        callbacks = new RingWriter(callbackRing(segment, layout), new WaitStrategy());
        replies = new ReplySlots(segment, layout.replies(), Parking.FUTEX);
        for (int i = 0; i < contexts.length; i++) {
            contexts[i] = status(segment, layout, i);
        }
    }

    static RingMemory commandRing(MemorySegment memory, SessionLayout layout) {
        return new RingMemory(memory, layout.commands(), Constants.COMMAND_BYTES, Parking.FUTEX);
    }

    static RingMemory outputRing(MemorySegment memory, SessionLayout layout) {
        return new RingMemory(memory, layout.output(), Constants.OUTPUT_BYTES, Parking.FUTEX);
    }

    static RingMemory callbackRing(MemorySegment memory, SessionLayout layout) {
        return new RingMemory(memory, layout.callbacks(), Constants.CALLBACK_BYTES, Parking.FUTEX);
    }

    static ContextStatus status(MemorySegment memory, SessionLayout layout, int context) {
        return new ContextStatus(
                memory.asSlice(
                        layout.contexts() + (long) context * ContextStatusLayout.BYTES,
                        ContextStatusLayout.BYTES,
                        8));
    }

    /**
     * Makes the memory of a new session.
     *
     * @param slice its name; what does not fit is cut off
     */
    public static SessionMemory create(String slice, List<DeviceSnapshot> devices)
            throws IOException {
        SessionLayout layout = SessionLayout.of(devices.size());
        SharedMemoryUnsafe memory = SharedMemoryUnsafe.create("facet-session", layout.bytes());
        MemorySegment segment = memory.segment();
        commandRing(segment, layout).format();
        outputRing(segment, layout).format();
        callbackRing(segment, layout).format();
        SessionHeaders.write(segment, layout, slice, devices);
        return new SessionMemory(memory, layout);
    }

    /**
     * For a host in another process than the one that made the memory.
     *
     * @param descriptor is taken over, and closed when this fails
     * @throws MalformedRecord when it is no session memory, or a client has broken it
     */
    public static SessionMemory attach(int descriptor) throws IOException, MalformedRecord {
        SharedMemoryUnsafe memory = SharedMemoryUnsafe.attach(descriptor);
        try {
            return new SessionMemory(memory, SessionHeaders.check(memory.segment()));
        } catch (MalformedRecord | RuntimeException e) {
            memory.close();
            throw e;
        }
    }

    /** To be sent to the client; it stays ours. */
    public int descriptor() {
        return memory.descriptor();
    }

    public MemorySegment segment() {
        return memory.segment();
    }

    public RingReader commands() {
        return commands;
    }

    public TextWriter output() {
        return output;
    }

    public RingWriter callbacks() {
        return callbacks;
    }

    public ReplySlots replies() {
        return replies;
    }

    public ContextStatus contextStatus(int context) {
        return contexts[Objects.checkIndex(context, contexts.length)];
    }

    public int deviceCount() {
        return devices;
    }

    /** Ends the waits of both rings' threads. The memory stays until {@link #close}. */
    public void stop() {
        commands.close();
        callbacks.close();
    }

    /** Unmaps. Threads that use a part of it after that get an IllegalStateException. */
    @Override
    public void close() {
        stop();
        memory.close();
    }
}
