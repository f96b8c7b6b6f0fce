package facet.kube.names;

/** A pod says what cannot be, or two things that differ. The message tells its owner what to do. */
public final class NamesException extends Exception {
    private static final long serialVersionUID = 1L;

    public NamesException(String message) {
        super(message);
    }
}
