package facet.ptx;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** PTX that cannot be accepted: where it is, what is wrong and, where it helps, what to do. */
public final class PtxException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Kind kind;
    private final transient Position position;
    private final transient @Nullable String lacking;

    /** Whether the text is wrong, or right and not for this device. */
    public enum Kind {
        SYNTAX,
        INVALID,
        UNSUPPORTED
    }

    public PtxException(Kind kind, Position position, String message) {
        super("line " + position.line() + ", column " + position.column() + ": " + message);
        this.kind = kind;
        this.position = position;
        this.lacking = null;
    }

    /**
     * Right PTX that needs what is not there.
     *
     * @param lacking an instruction with its suffixes, or a function
     */
    public static PtxException lacking(Position position, String lacking, String message) {
        return new PtxException(position, lacking, message);
    }

    private PtxException(Position position, String lacking, String message) {
        super("line " + position.line() + ", column " + position.column() + ": " + message);
        this.kind = Kind.UNSUPPORTED;
        this.position = position;
        this.lacking = lacking;
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

    /** What it needs and is not there, by name. */
    public Optional<String> lacking() {
        return Optional.ofNullable(lacking);
    }

    public Position position() {
        return position;
    }
}
