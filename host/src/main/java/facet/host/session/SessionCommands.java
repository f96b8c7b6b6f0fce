package facet.host.session;

import facet.abi.ContextSynchronize;
import facet.abi.Envelope;
import facet.abi.EventSynchronize;
import facet.abi.MalformedCommand;
import facet.abi.RecordHeaderLayout;
import facet.abi.StreamSynchronize;
import facet.device.DeviceException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Executes the records of a session, one after the other: each by the vocabulary that its type
 * names. What goes wrong is told in the words of that vocabulary.
 */
final class SessionCommands {
    private final Session session;
    private final Map<Integer, Vocabulary> vocabularies = new HashMap<>();
    private long sequence;

    SessionCommands(Session session, List<Vocabulary> vocabularies) {
        this.session = session;
        vocabularies.forEach(each -> this.vocabularies.put(each.dispatcher().vocabulary(), each));
    }

    /** Whether a client waits for what was sent before, and nothing else happens here. */
    static boolean onlyWaits(MemorySegment record) throws MalformedCommand {
        return switch (Envelope.type(record)) {
            case StreamSynchronize.TYPE, ContextSynchronize.TYPE, EventSynchronize.TYPE -> true;
            default -> false;
        };
    }

    /**
     * @param record a copy that no client can change any more, with a whole header
     */
    void execute(MemorySegment record) throws MalformedCommand {
        long given =
                record.get(ValueLayout.JAVA_LONG_UNALIGNED, RecordHeaderLayout.SEQUENCE_OFFSET);
        if (given != ++sequence) {
            throw new MalformedCommand("sequence " + given + " where " + sequence + " was due");
        }
        int slot =
                Short.toUnsignedInt(
                        record.get(
                                ValueLayout.JAVA_SHORT_UNALIGNED, RecordHeaderLayout.SLOT_OFFSET));
        if (slot != 0 && !session.channel().expect(slot - 1)) {
            throw new MalformedCommand("reply slot " + slot + " is waited at already, or is none");
        }
        int type = Envelope.type(record);
        @Nullable Vocabulary vocabulary = vocabularies.get(Envelope.vocabulary(type));
        if (vocabulary == null) {
            throw MalformedCommand.unknownType(type);
        }
        try {
            vocabulary.dispatcher().dispatch(record);
        } catch (Session.ContextGone e) {
            if (slot != 0) {
                session.reply(new Envelope(slot, sequence, 0), vocabulary.contextIsGone());
            }
        } catch (HandleGone e) {
            // Another thread of the client was quicker to destroy what the command names.
            refuse(vocabulary, record, slot, vocabulary.handleIsGone(), e);
        } catch (DeviceException e) {
            // As after a fault of a kernel: what the device still does is its own affair.
            refuse(vocabulary, record, slot, vocabulary.errorOf(e), e);
        }
    }

    private void refuse(
            Vocabulary vocabulary, MemorySegment record, int slot, int error, RuntimeException why)
            throws MalformedCommand {
        int id = record.get(ValueLayout.JAVA_INT_UNALIGNED, RecordHeaderLayout.CONTEXT_OFFSET);
        Envelope envelope = new Envelope(slot, sequence, id);
        if (slot != 0) {
            session.reply(envelope, error);
            return;
        }
        SessionContext context = session.context(envelope);
        session.log("context " + context.id() + ": " + why.getMessage());
        vocabulary.failed(context, envelope, error);
        if (vocabulary.dispatcher().retires(Envelope.type(record))) {
            context.work().ignored();
        }
    }
}
