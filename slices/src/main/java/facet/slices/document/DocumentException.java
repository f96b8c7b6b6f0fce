package facet.slices.document;

/** A document that cannot be understood; the message says where and why. */
public final class DocumentException extends Exception {
    private static final long serialVersionUID = 1L;

    public DocumentException(int line, int column, String message) {
        super("line " + line + ", column " + column + ": " + message);
    }

    public DocumentException(String message) {
        super(message);
    }
}
