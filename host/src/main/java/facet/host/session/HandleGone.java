package facet.host.session;

/**
 * A command names what another thread of its client has destroyed. The program made the mistake; it
 * is told so, and goes on.
 */
final class HandleGone extends RuntimeException {
    private static final long serialVersionUID = 1L;

    HandleGone(String message) {
        super(message, null, false, false);
    }
}
