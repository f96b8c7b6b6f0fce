package facet.os;

import java.io.IOException;

/** The system refused a call. The message says what was tried, why not, and what helps. */
public final class SystemCallException extends IOException {
    private static final long serialVersionUID = 1L;

    private final int errno;

    /**
     * @param attempt what was tried, as "cannot connect to /run/facet/socket"
     */
    SystemCallException(String attempt, int errno) {
        this(attempt, errno, ErrnoUnsafe.advice(errno));
    }

    SystemCallException(String attempt, int errno, String advice) {
        super(attempt + ": " + ErrnoUnsafe.text(errno) + advice);
        this.errno = errno;
    }

    public int errno() {
        return errno;
    }
}
