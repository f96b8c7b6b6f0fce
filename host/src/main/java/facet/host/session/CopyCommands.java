package facet.host.session;

import facet.abi.Copy;
import facet.abi.CopyBox;
import facet.abi.CopyHandler;
import facet.abi.CopyPeer;
import facet.abi.CopyPeerBox;
import facet.abi.Envelope;
import facet.abi.Fill;
import facet.abi.Read;
import facet.abi.Result;
import facet.abi.Write;

/** Data: copies, writes, fills. */
final class CopyCommands implements CopyHandler {
    private final Session session;

    CopyCommands(Session session) {
        this.session = session;
    }

    @Override
    public void copy(Envelope envelope, Copy command) {
        SessionContext context = session.context(envelope);
        SessionStream stream = context.streams().get(command.stream());
        orRefuse(context, stream, () -> CopyWork.copy(context, command).submit(context, stream));
    }

    @Override
    public void copyPeer(Envelope envelope, CopyPeer command) {
        SessionContext context = session.context(envelope);
        SessionStream stream = context.streams().get(command.stream());
        orRefuse(
                context,
                stream,
                () -> beside(context, stream, PeerCopy.of(session, context, command)));
    }

    @Override
    public void copyPeerBox(Envelope envelope, CopyPeerBox command) {
        SessionContext context = session.context(envelope);
        SessionStream stream = context.streams().get(command.stream());
        orRefuse(
                context,
                stream,
                () ->
                        PeerCopy.of(session, context, command)
                                .ifPresentOrElse(
                                        copy -> beside(context, stream, copy),
                                        () -> context.work().submit(stream, _ -> {})));
    }

    /**
     * Afterwards the other's memory does not move: nobody would know that the copy is under way.
     */
    private static void beside(SessionContext context, SessionStream stream, PeerCopy copy) {
        context.work().submitBeside(copy.other(), stream, copy.reach(), copy);
    }

    @Override
    public void copyBox(Envelope envelope, CopyBox command) {
        SessionContext context = session.context(envelope);
        SessionStream stream = context.streams().get(command.stream());
        orRefuse(context, stream, () -> CopyWork.copyBox(context, command).submit(context, stream));
    }

    @Override
    public void write(Envelope envelope, Write command) {
        SessionContext context = session.context(envelope);
        SessionStream stream = context.streams().get(command.stream());
        orRefuse(context, stream, () -> CopyWork.write(context, command).submit(context, stream));
    }

    /** As a copy, but answered when the data is there. */
    @Override
    public void read(Envelope envelope, Read command) {
        SessionContext context = session.context(envelope);
        SessionStream stream = context.streams().get(command.stream());
        try {
            context.checkWrite(command.destination(), command.bytes());
            context.checkRead(command.source(), command.bytes());
        } catch (CheckedWork.Refused e) {
            session.log(String.valueOf(e.getMessage()));
            session.reply(envelope, context, Result.ERROR_INVALID_VALUE);
            return;
        }
        int latched = context.streams().takeLatched(stream);
        context.work()
                .read(
                        stream,
                        context.reach(
                                command.destination(),
                                command.bytes(),
                                command.source(),
                                command.bytes()),
                        device ->
                                device.copy(
                                        command.destination(), command.source(), command.bytes()),
                        result ->
                                session.reply(
                                        envelope,
                                        context,
                                        first(latched, stream.takeLate(), result)));
    }

    /** The first of them that is an error. */
    private static int first(int latched, int late, int own) {
        int before = latched == Result.SUCCESS ? late : latched;
        return before == Result.SUCCESS ? own : before;
    }

    @Override
    public void fill(Envelope envelope, Fill command) {
        SessionContext context = session.context(envelope);
        SessionStream stream = context.streams().get(command.stream());
        orRefuse(context, stream, () -> CopyWork.fill(context, command).submit(context, stream));
    }

    private void orRefuse(SessionContext context, SessionStream stream, Runnable submission) {
        try {
            submission.run();
        } catch (CheckedWork.Refused e) {
            session.log(String.valueOf(e.getMessage()));
            context.work().refuse(stream, Result.ERROR_INVALID_VALUE);
        }
    }
}
