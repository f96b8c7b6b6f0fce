package facet.host.session;

import facet.abi.CallbackRecordLayout;
import facet.abi.Constants;
import facet.abi.Envelope;
import facet.abi.RecordHeaderLayout;
import facet.os.Connection;
import facet.ring.MalformedRecord;
import facet.ring.SessionMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** The ways from a session to its client. Any thread. */
final class SessionChannel {
    private static final short CALLBACK = 1;

    /** What is between these is for stderr. */
    private static final char ERRORS_BEGIN = 0;

    private static final char ERRORS_END = 1;

    private final SessionMemory memory;
    private final Connection connection;
    private final Consumer<String> expel;
    private final Object replyLock = new Object();
    private final Object outputLock = new Object();
    private final Object callbackLock = new Object();
    private long callbacks;
    private long waiting;
    private boolean closed;

    /**
     * @param expel ends the session when its client has broken a ring; any thread
     */
    SessionChannel(SessionMemory memory, Connection connection, Consumer<String> expel) {
        this.memory = memory;
        this.connection = connection;
        this.expel = expel;
    }

    /** Somebody waits at a slot from now on. False when somebody does already, or it is none. */
    boolean expect(int slot) {
        synchronized (replyLock) {
            if (slot >= Constants.REPLY_SLOTS || (waiting & 1L << slot) != 0) {
                return false;
            }
            waiting |= 1L << slot;
            return true;
        }
    }

    void reply(Envelope envelope, int result, long... payload) {
        synchronized (replyLock) {
            if (!closed) {
                waiting &= ~(1L << envelope.replySlot());
                memory.replies().reply(envelope.replySlot(), envelope.sequence(), result, payload);
            }
        }
    }

    /** Nobody is answered from now on: the memory is about to go. */
    void close() {
        synchronized (replyLock) {
            closed = true;
        }
    }

    /** Whether the session is about to end. */
    boolean isEnding() {
        return memory.commands().isClosed();
    }

    /** How far the client has written its commands. */
    long published() {
        return memory.commands().published();
    }

    /** How far they were read; for the session's thread. */
    long read() {
        return memory.commands().position();
    }

    /** The status of a new context. */
    ContextReport report(int context) {
        return new ContextReport(memory.contextStatus(context));
    }

    /** What a kernel prints; what nobody reads in time is lost. */
    void print(String text) {
        write(text.replace(ERRORS_BEGIN, ' '));
    }

    /** A line for the client's error output. */
    void printError(String line) {
        write(ERRORS_BEGIN + line.replace(ERRORS_BEGIN, ' ') + "\n" + ERRORS_END);
    }

    private void write(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        synchronized (outputLock) {
            memory.output().write(bytes);
        }
    }

    /** Tells that a host function is due. False when there is no room. */
    boolean callBack(long token) {
        byte[] record = new byte[CallbackRecordLayout.BYTES];
        MemorySegment fields = MemorySegment.ofArray(record);
        fields.set(ValueLayout.JAVA_INT_UNALIGNED, RecordHeaderLayout.LENGTH_OFFSET, record.length);
        fields.set(ValueLayout.JAVA_SHORT_UNALIGNED, RecordHeaderLayout.TYPE_OFFSET, CALLBACK);
        fields.set(ValueLayout.JAVA_LONG_UNALIGNED, CallbackRecordLayout.TOKEN_OFFSET, token);
        synchronized (callbackLock) {
            fields.set(
                    ValueLayout.JAVA_LONG_UNALIGNED,
                    RecordHeaderLayout.SEQUENCE_OFFSET,
                    callbacks + 1);
            try {
                boolean written = memory.callbacks().offer(record);
                callbacks += written ? 1 : 0;
                return written;
            } catch (MalformedRecord e) {
                // On a thread of the device, which must not suffer from it.
                expel.accept("callback ring: " + e.getMessage());
                return true;
            }
        }
    }

    /**
     * Sends the descriptor of what the client is to map of a context.
     *
     * @param mapped whether that is the device's memory, or only what the client may access of it.
     *     Libraries from before the second kind read the first word alone; Reception keeps them
     *     away from devices of that kind
     */
    void sendMemory(int context, int descriptor, boolean mapped) {
        byte[] message =
                ByteBuffer.allocate(2 * Integer.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putInt(context)
                        .putInt(mapped ? 0 : 1)
                        .array();
        try {
            connection.send(message, descriptor);
        } catch (IOException e) {
            throw new ProtocolViolation(
                    "it does not take the memory of its context: " + e.getMessage());
        }
    }
}
