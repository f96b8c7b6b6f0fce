package facet.host.session;

/** Something that no honest client sends. It ends the session, and nothing else. */
public final class ProtocolViolation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ProtocolViolation(String message) {
        super(message);
    }
}
