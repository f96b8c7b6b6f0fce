package facet.jit.runtime;

/** Thrown through functions by a thread that exits inside one. */
public final class ThreadExit extends RuntimeException {
    private static final long serialVersionUID = 1L;
    static final ThreadExit INSTANCE = new ThreadExit();

    private ThreadExit() {
        super("exit", null, false, false);
    }
}
