package facet.sim;

/** A trace that cannot be read; the message says where and what to do. */
public final class TraceException extends Exception {
    private static final long serialVersionUID = 1L;

    TraceException(String message) {
        super(message);
    }

    TraceException(String message, Throwable cause) {
        super(message, cause);
    }
}
