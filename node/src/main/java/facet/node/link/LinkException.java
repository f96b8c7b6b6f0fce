package facet.node.link;

/** Texts that cannot be one. */
public final class LinkException extends Exception {
    private static final long serialVersionUID = 1L;

    public LinkException(String message) {
        super(message);
    }
}
