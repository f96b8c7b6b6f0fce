package facet.device.cpu;

/**
 * The thread that brought a piece of work does it, on a seat whose own thread sleeps: to wake that
 * one would take longer than the work. Only the thread that visits touches it, but for who it is.
 */
final class Visit {
    /** Longer than that, and the thread has other things to do. */
    static final long LONG_NANOS = 100_000;

    private final Sitter host;
    private final Runnable takeOver;
    private final long began;
    private boolean taken;

    /**
     * @param host whose seat it is
     * @param takeOver sees to it that somebody else does what the visitor has to do besides
     */
    Visit(Sitter host, Runnable takeOver, long began) {
        this.host = host;
        this.takeOver = takeOver;
        this.began = began;
    }

    Sitter host() {
        return host;
    }

    /** Whether it takes longer than it seemed. */
    boolean isLong(long now) {
        return now - began > LONG_NANOS;
    }

    /** From inside the work, now and then. */
    void look(long now) {
        if (isLong(now)) {
            takeOver();
        }
    }

    /** The visitor does not come back soon. */
    void takeOver() {
        if (!taken) {
            taken = true;
            takeOver.run();
        }
    }
}
