package facet.host.session;

import facet.abi.Envelope;
import facet.abi.Unsupported;
import facet.abi.UnsupportedHandler;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;

/** What the program asked for and did not get: the first of each name is logged. */
final class UnsupportedCommands implements UnsupportedHandler {
    private static final int MOST_NAMES = 1024;
    private static final int LONGEST_NAME = 100;

    private final Session session;
    private final Set<String> names = new HashSet<>();

    UnsupportedCommands(Session session) {
        this.session = session;
    }

    @Override
    public void unsupported(Envelope envelope, Unsupported command) {
        String name = new String(command.name(), StandardCharsets.UTF_8);
        if (name.length() > LONGEST_NAME || names.size() == MOST_NAMES) {
            return;
        }
        if (names.add(name)) {
            session.log(name + " is not supported");
        }
    }
}
