package facet.node.http;

import facet.node.log.Log;
import java.util.function.LongSupplier;

/** Logs what clients do wrong, but not more than so often: the log is not theirs to fill. */
final class Failures {
    private static final int MOST = 5;
    private static final long PERIOD_NANOS = 60_000_000_000L;

    private final Log log;
    private final LongSupplier clock;
    private long began;
    private int said;
    private long unsaid;

    /**
     * @param clock in nanoseconds
     */
    Failures(Log log, LongSupplier clock) {
        this.log = log;
        this.clock = clock;
        this.began = clock.getAsLong();
    }

    /**
     * @param peer its address
     * @param what without anything secret
     */
    void add(String peer, String what) {
        add("refused " + peer + ": " + what);
    }

    synchronized void add(String text) {
        long now = clock.getAsLong();
        if (now - began >= PERIOD_NANOS) {
            began = now;
            said = 0;
        }
        if (said == MOST) {
            unsaid++;
            return;
        }
        said++;
        String more = unsaid == 0 ? "" : "; " + unsaid + " more before";
        unsaid = 0;
        log.warning("http", text + more);
    }
}
