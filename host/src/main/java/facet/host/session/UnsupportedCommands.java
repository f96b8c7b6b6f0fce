package facet.host.session;

import facet.abi.Envelope;
import facet.abi.Unsupported;
import facet.abi.UnsupportedHandler;
import facet.host.ledger.UnsupportedCounts;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Calls that the program made and that are not supported. Its library has told its user. */
final class UnsupportedCommands implements UnsupportedHandler {
    private final Session session;

    UnsupportedCommands(Session session) {
        this.session = session;
    }

    @Override
    public void unsupported(Envelope envelope, Unsupported command) {
        byte[] name = command.name();
        byte[] kept = Arrays.copyOf(name, Math.min(name.length, UnsupportedCounts.LONGEST_NAME));
        session.lacks(UnsupportedCounts.Kind.CALL, new String(kept, StandardCharsets.ISO_8859_1));
    }
}
