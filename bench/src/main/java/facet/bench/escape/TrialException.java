package facet.bench.escape;

/** A trial that says nothing about limits, since something else went wrong in it. */
public final class TrialException extends Exception {
    private static final long serialVersionUID = 1L;

    TrialException(String message) {
        super(message);
    }

    TrialException(String message, Throwable cause) {
        super(message, cause);
    }
}
