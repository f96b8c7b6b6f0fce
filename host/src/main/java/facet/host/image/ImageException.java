package facet.host.image;

/** An image that cannot become a module. */
public final class ImageException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Why, with the number that the CUDA driver API gives it. */
    public enum Kind {
        MALFORMED(200),
        NO_CODE_FOR_DEVICE(209),
        INVALID_PTX(218),
        LINK_FAILED(218);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        /** The CUresult. */
        public int code() {
            return code;
        }
    }

    private final Kind kind;

    public ImageException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public ImageException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }

    static ImageException malformed(String message) {
        return new ImageException(Kind.MALFORMED, message);
    }
}
