package facet.pool.link;

import java.io.IOException;

/** The other side sent what no honest member sends: the link ends. */
public final class LinkViolation extends IOException {
    private static final long serialVersionUID = 1L;

    public LinkViolation(String message) {
        super(message);
    }
}
