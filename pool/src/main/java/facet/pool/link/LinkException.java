package facet.pool.link;

import java.io.IOException;

/** A link that cannot be used; the message says what to do. */
public final class LinkException extends IOException {
    private static final long serialVersionUID = 1L;

    private final LinkEnd end;

    public LinkException(LinkEnd end, String message) {
        super(message);
        this.end = end;
    }

    LinkException(LinkEnd end, String message, Throwable cause) {
        super(message, cause);
        this.end = end;
    }

    public LinkEnd end() {
        return end;
    }
}
