package facet.host.session;

import facet.abi.Copy;
import facet.abi.CopyBox;
import facet.abi.CopyHandler;
import facet.abi.CopyPeer;
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
        SessionStream stream = context.stream(command.stream());
        CopyWork.copy(context, command).submit(context, stream);
    }

    @Override
    public void copyPeer(Envelope envelope, CopyPeer command) {
        SessionContext context = session.context(envelope);
        SessionStream stream = context.stream(command.stream());
        try {
            PeerCopy.work(session, context, command).submit(context, stream);
        } catch (Work.Refused e) {
            refuse(context, stream, String.valueOf(e.getMessage()));
        } catch (PeerCopy.NoRoom e) {
            stream.latch(Result.ERROR_OUT_OF_MEMORY);
            context.submit(stream, () -> {});
        }
    }

    @Override
    public void copyBox(Envelope envelope, CopyBox command) {
        SessionContext context = session.context(envelope);
        SessionStream stream = context.stream(command.stream());
        try {
            CopyWork.copyBox(context, command).submit(context, stream);
        } catch (Work.Refused e) {
            refuse(context, stream, String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void write(Envelope envelope, Write command) {
        SessionContext context = session.context(envelope);
        SessionStream stream = context.stream(command.stream());
        CopyWork.write(context, command).submit(context, stream);
    }

    /** As a copy, but answered when the data is there. */
    @Override
    public void read(Envelope envelope, Read command) {
        SessionContext context = session.context(envelope);
        SessionStream stream = context.stream(command.stream());
        context.checkRange(command.destination(), command.bytes());
        context.checkRange(command.source(), command.bytes());
        int latched = context.takeLatched(stream);
        context.read(
                stream,
                context.reach(
                        command.destination(), command.bytes(), command.source(), command.bytes()),
                () ->
                        stream.device()
                                .copy(command.destination(), command.source(), command.bytes()),
                result ->
                        session.reply(
                                envelope, context, latched == Result.SUCCESS ? result : latched));
    }

    @Override
    public void fill(Envelope envelope, Fill command) {
        SessionContext context = session.context(envelope);
        SessionStream stream = context.stream(command.stream());
        try {
            CopyWork.fill(context, command).submit(context, stream);
        } catch (Work.Refused e) {
            refuse(context, stream, String.valueOf(e.getMessage()));
        }
    }

    private void refuse(SessionContext context, SessionStream stream, String reason) {
        session.log(reason);
        stream.latch(Result.ERROR_INVALID_VALUE);
        context.submit(stream, () -> {});
    }
}
