package facet.ptx;

import java.util.Objects;

/** PTX that cannot be accepted: where it is, what is wrong and, where it helps, what to do. */
public final class PtxException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Kind kind;
    private final transient Position position;

    /** What the driver API makes of it: invalid PTX (218) or a feature that is not there (222). */
    public enum Kind {
        SYNTAX,
        INVALID,
        UNSUPPORTED
    }

    public PtxException(Kind kind, Position position, String message) {
        super("line " + position.line() + ", column " + position.column() + ": " + message);
        this.kind = kind;
        this.position = position;
    }

    public PtxException(Kind kind, Position position, String message, Throwable cause) {
        this(kind, position, message);
        initCause(cause);
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage(), "the constructor sets it");
    }

    public Kind kind() {
        return kind;
    }

    public Position position() {
        return position;
    }
}
