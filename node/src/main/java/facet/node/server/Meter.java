package facet.node.server;

import facet.node.slice.LedgerMemory;
import facet.node.slice.Rounds;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Tells the programs of a slice how busy it is: writes its device time to the ledger while it has
 * sessions.
 */
final class Meter implements Rounds.Look {
    private final LedgerMemory ledger;
    private double share;
    private final BooleanSupplier inUse;
    private final LongSupplier deviceNanos;
    private boolean closed;
    private long counted;
    private double busy;

    /**
     * @param share seconds of device time that the slice may use in a second
     * @param deviceNanos device time of the slice up to now; may ask somebody
     */
    Meter(LedgerMemory ledger, double share, BooleanSupplier inUse, LongSupplier deviceNanos) {
        this.ledger = ledger;
        this.share = share;
        this.inUse = inUse;
        this.deviceNanos = deviceNanos;
    }

    /** Another share from now on; what was used before stays as it was counted. */
    synchronized void share(double seconds) {
        share = seconds;
    }

    /** A session has begun. */
    void wake() {
        Rounds.include(this);
    }

    /** Afterwards the ledger is not touched. */
    synchronized void close() {
        closed = true;
    }

    @Override
    public boolean look() {
        boolean more = inUse.getAsBoolean();
        long nanos = deviceNanos.getAsLong();
        synchronized (this) {
            // A session that ends is missing for a moment, and counted again afterwards.
            if (!closed && nanos > counted) {
                busy += (nanos - counted) / share;
                counted = nanos;
                ledger.busy((long) busy);
            }
            return more && !closed;
        }
    }
}
