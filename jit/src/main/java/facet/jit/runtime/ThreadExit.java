package facet.jit.runtime;

/** Thrown through functions by a thread that exits inside one. */
public final class ThreadExit extends RuntimeException {
    private static final long serialVersionUID = 1L;

    // One for all: it has no stack trace and no state, and a kernel may throw it millions of times.
    @SuppressWarnings("StaticAssignmentOfThrowable")
    static final ThreadExit INSTANCE = new ThreadExit();

    private ThreadExit() {
        super("exit", null, false, false);
    }
}
