package facet.host.session;

import facet.abi.Constants;
import facet.abi.Envelope;
import facet.abi.EventCreate;
import facet.abi.EventDestroy;
import facet.abi.EventElapsed;
import facet.abi.EventHandler;
import facet.abi.EventQuery;
import facet.abi.EventRecord;
import facet.abi.EventShare;
import facet.abi.EventSynchronize;
import facet.abi.Result;
import facet.device.DeviceException;
import facet.host.share.Token;

/** Events. */
final class EventCommands implements EventHandler {
    private final Session session;

    EventCommands(Session session) {
        this.session = session;
    }

    @Override
    public void eventCreate(Envelope envelope, EventCreate command) {
        session.context(envelope)
                .events()
                .create(command.event(), (command.flags() & Constants.EVENT_NO_TIMING) == 0);
    }

    @Override
    public void eventDestroy(Envelope envelope, EventDestroy command) {
        session.context(envelope).events().destroy(command.event());
    }

    @Override
    public void eventRecord(Envelope envelope, EventRecord command) {
        SessionContext context = session.context(envelope);
        SessionStream stream = context.streams().get(command.stream());
        SessionEvent event = context.events().get(command.event());
        context.work().submit(stream, device -> device.record(event.device()));
        event.recorded(stream);
    }

    @Override
    public void eventSynchronize(Envelope envelope, EventSynchronize command) {
        SessionContext context = session.context(envelope);
        SessionEvent event = context.events().get(command.event());
        event.whenReached(() -> session.reply(envelope, context, Result.SUCCESS));
    }

    @Override
    public void eventQuery(Envelope envelope, EventQuery command) {
        SessionContext context = session.context(envelope);
        SessionEvent event = context.events().get(command.event());
        session.reply(
                envelope, context, event.isReached() ? Result.SUCCESS : Result.ERROR_NOT_READY);
    }

    /** Gives an event a name for other sessions of the slice, or opens the event of a name. */
    @Override
    public void eventShare(Envelope envelope, EventShare command) {
        SessionContext context = session.context(envelope);
        if (command.open() == 0) {
            Token name = context.events().share(command.event());
            session.reply(envelope, context, Result.SUCCESS, name.high(), name.low());
            return;
        }
        boolean known =
                context.events().open(command.event(), new Token(command.high(), command.low()));
        session.reply(envelope, context, known ? Result.SUCCESS : Result.ERROR_INVALID_HANDLE);
    }

    @Override
    public void eventElapsed(Envelope envelope, EventElapsed command) {
        SessionContext context = session.context(envelope);
        SessionEvent start = context.events().get(command.start());
        SessionEvent end = context.events().get(command.end());
        if (!start.isTimed() || !end.isTimed()) {
            session.reply(envelope, context, Result.ERROR_INVALID_HANDLE);
        } else if (!start.device().isComplete() || !end.device().isComplete()) {
            session.reply(envelope, context, Result.ERROR_NOT_READY);
        } else {
            try {
                long nanos = end.device().nanosSince(start.device());
                session.reply(envelope, context, Result.SUCCESS, nanos);
            } catch (DeviceException e) {
                // A record that was refused, as after a fault: the event was never reached.
                session.reply(envelope, context, e.error().code());
            }
        }
    }
}
