package facet.host.session;

import facet.abi.Envelope;
import facet.abi.HostFunction;
import facet.abi.HostFunctionDone;
import facet.abi.Unsupported;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** The program's own functions in stream order, and what it asked for in vain. */
final class HostFunctionCommands {
    private static final int MOST_NAMES = 1024;
    private static final int LONGEST_NAME = 100;

    private final Session session;
    private final Map<String, Integer> unsupported = new HashMap<>();

    HostFunctionCommands(Session session) {
        this.session = session;
    }

    void submit(Envelope envelope, HostFunction command) {
        SessionContext context = session.context(envelope);
        SessionStream stream;
        try {
            stream = context.stream(command.stream());
        } catch (HandleGone e) {
            session.hostFunctions().tell(command.token());
            throw e;
        }
        session.hostFunctions().submit(context, stream, command.token());
    }

    void done(HostFunctionDone command) {
        session.hostFunctions().done(command.token());
    }

    /** Counted; the first of each name is logged. */
    void unsupported(Unsupported command) {
        String name = new String(command.name(), StandardCharsets.UTF_8);
        if (name.length() > LONGEST_NAME || unsupported.size() == MOST_NAMES) {
            return;
        }
        if (unsupported.merge(name, 1, Integer::sum) == 1) {
            session.log(name + " is not supported");
        }
    }
}
