package facet.host.session;

import facet.abi.Constants;
import facet.abi.Envelope;
import facet.abi.Result;
import facet.abi.StreamCreate;
import facet.abi.StreamDestroy;
import facet.abi.StreamHandler;
import facet.abi.StreamQuery;
import facet.abi.StreamSynchronize;
import facet.abi.StreamWaitEvent;

/** Streams. Nothing here waits: who does is answered later. */
final class StreamCommands implements StreamHandler {
    private final Session session;

    StreamCommands(Session session) {
        this.session = session;
    }

    @Override
    public void streamCreate(Envelope envelope, StreamCreate command) {
        session.context(envelope)
                .streams()
                .create(command.stream(), (command.flags() & Constants.STREAM_NON_BLOCKING) == 0);
    }

    @Override
    public void streamDestroy(Envelope envelope, StreamDestroy command) {
        session.context(envelope).streams().destroy(command.stream());
    }

    @Override
    public void streamSynchronize(Envelope envelope, StreamSynchronize command) {
        SessionContext context = session.context(envelope);
        SessionStream stream = context.streams().get(command.stream());
        int latched = context.streams().takeLatched(stream);
        context.streams()
                .whenEnded(
                        stream,
                        () ->
                                session.reply(
                                        envelope,
                                        context,
                                        latched == Result.SUCCESS ? stream.takeLate() : latched));
    }

    @Override
    public void streamQuery(Envelope envelope, StreamQuery command) {
        SessionContext context = session.context(envelope);
        SessionStream stream = context.streams().get(command.stream());
        int result =
                context.streams().isIdle(stream)
                        ? context.streams().takeLatched(stream)
                        : Result.ERROR_NOT_READY;
        session.reply(envelope, context, result);
    }

    @Override
    public void streamWaitEvent(Envelope envelope, StreamWaitEvent command) {
        SessionContext context = session.context(envelope);
        SessionStream stream = context.streams().get(command.stream());
        SessionEvent event = context.events().get(command.event());
        context.work().submit(stream, device -> device.await(event.device()));
    }
}
