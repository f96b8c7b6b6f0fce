package facet.host.session;

import facet.abi.Command;
import facet.abi.Dispatcher;
import facet.abi.Envelope;
import facet.abi.MalformedCommand;
import facet.abi.RecordHeaderLayout;
import facet.device.DeviceException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** Another API than CUDA, with two commands and errors of its own. */
final class EchoVocabulary implements Vocabulary, Dispatcher {
    static final int NUMBER = 5;
    static final int NO_CONTEXT = -1;
    static final int NO_HANDLE = -2;
    static final int NO_DEVICE = -3;

    private static final int CALL = NUMBER << 12 | 1;
    private static final int SHOUT = NUMBER << 12 | 2;
    private static final int FIXED_BYTES = RecordHeaderLayout.BYTES + Long.BYTES;

    /** Who acts on its commands. */
    interface Handler {
        /** Somebody waits. */
        void call(Envelope envelope, long word);

        /** Nobody waits; both sides count. */
        void shout(Envelope envelope, long word);
    }

    private final Handler handler;

    /** Contexts and errors of commands that nobody waited for. */
    final List<String> failures = new ArrayList<>();

    EchoVocabulary(Handler handler) {
        this.handler = handler;
    }

    static Command call(long word) {
        return (slot, sequence, context) -> encode(CALL, word, slot, sequence, context);
    }

    static Command shout(long word) {
        return (slot, sequence, context) -> encode(SHOUT, word, slot, sequence, context);
    }

    private static byte[] encode(int type, long word, int slot, long sequence, int context) {
        byte[] record = Envelope.start(type, FIXED_BYTES, slot, sequence, context);
        MemorySegment.ofArray(record)
                .set(ValueLayout.JAVA_LONG_UNALIGNED, RecordHeaderLayout.BYTES, word);
        return record;
    }

    @Override
    public Dispatcher dispatcher() {
        return this;
    }

    @Override
    public int vocabulary() {
        return NUMBER;
    }

    @Override
    public void dispatch(MemorySegment record) throws MalformedCommand {
        int type = Envelope.type(record);
        MalformedCommand.checkLength("echo", record.byteSize(), FIXED_BYTES);
        long word = record.get(ValueLayout.JAVA_LONG_UNALIGNED, RecordHeaderLayout.BYTES);
        switch (type) {
            case CALL -> handler.call(Envelope.of(record, true), word);
            case SHOUT -> handler.shout(Envelope.of(record, false), word);
            default -> throw MalformedCommand.unknownType(type);
        }
    }

    @Override
    public boolean retires(int type) {
        return type == SHOUT;
    }

    @Override
    public int contextIsGone() {
        return NO_CONTEXT;
    }

    @Override
    public int handleIsGone() {
        return NO_HANDLE;
    }

    @Override
    public int errorOf(DeviceException refusal) {
        return NO_DEVICE;
    }

    @Override
    public void failed(SessionContext context, Envelope envelope, int error) {
        failures.add(context.id() + ": " + error);
    }
}
