package facet.pool.identity;

/** A text that is no pool token; the message says what to do. */
public final class TokenException extends Exception {
    private static final long serialVersionUID = 1L;

    TokenException(String message) {
        super(message);
    }

    TokenException(String message, Throwable cause) {
        super(message, cause);
    }
}
