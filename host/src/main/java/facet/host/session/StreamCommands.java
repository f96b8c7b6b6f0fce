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
                .createStream(
                        command.stream(), (command.flags() & Constants.STREAM_NON_BLOCKING) == 0);
    }

    @Override
    public void streamDestroy(Envelope envelope, StreamDestroy command) {
        session.context(envelope).destroyStream(command.stream());
    }

    @Override
    public void streamSynchronize(Envelope envelope, StreamSynchronize command) {
        SessionContext context = session.context(envelope);
        SessionStream stream = context.stream(command.stream());
        int latched = context.takeLatched(stream);
        context.whenEnded(stream, () -> session.reply(envelope, context, latched));
    }

    @Override
    public void streamQuery(Envelope envelope, StreamQuery command) {
        SessionContext context = session.context(envelope);
        SessionStream stream = context.stream(command.stream());
        int result = context.isIdle(stream) ? context.takeLatched(stream) : Result.ERROR_NOT_READY;
        session.reply(envelope, context, result);
    }

    @Override
    public void streamWaitEvent(Envelope envelope, StreamWaitEvent command) {
        SessionContext context = session.context(envelope);
        SessionStream stream = context.stream(command.stream());
        SessionEvent event = context.event(command.event());
        context.submit(stream, () -> stream.device().await(event.device()));
    }
}
