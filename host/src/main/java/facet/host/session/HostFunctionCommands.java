package facet.host.session;

import facet.abi.Envelope;
import facet.abi.HostFunction;
import facet.abi.HostFunctionDone;
import facet.abi.HostFunctionHandler;

/** The program's own functions in stream order. */
final class HostFunctionCommands implements HostFunctionHandler {
    private final Session session;

    HostFunctionCommands(Session session) {
        this.session = session;
    }

    @Override
    public void hostFunction(Envelope envelope, HostFunction command) {
        SessionContext context = session.context(envelope);
        SessionStream stream;
        try {
            stream = context.streams().get(command.stream());
        } catch (HandleGone e) {
            session.hostFunctions().tell(command.token());
            throw e;
        }
        session.hostFunctions().submit(context, stream, command.token());
    }

    @Override
    public void hostFunctionDone(Envelope envelope, HostFunctionDone command) {
        session.hostFunctions().done(command.token());
    }
}
