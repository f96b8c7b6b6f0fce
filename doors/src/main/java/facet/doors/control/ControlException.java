package facet.doors.control;

/** A request that is refused; the message is the answer. */
public final class ControlException extends Exception {
    private static final long serialVersionUID = 1L;

    public ControlException(String message) {
        super(message);
    }

    public ControlException(String message, Throwable cause) {
        super(message, cause);
    }
}
