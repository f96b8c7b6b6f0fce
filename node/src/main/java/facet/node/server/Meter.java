package facet.node.server;

import facet.host.ledger.LedgerMemory;
import facet.host.ledger.PeriodicThread;
import facet.node.server.HostPlace.HostedSession;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Tells the programs of a slice how busy it and each of them is: writes device time to the ledger
 * while it has sessions.
 */
final class Meter implements PeriodicThread.Look {
    private final LedgerMemory ledger;
    private double share;
    private final Supplier<List<HostedSession>> sessions;
    private final ProcessSamples samples;
    private final LongSupplier deviceNanos;
    private boolean closed;
    private long counted;
    private double busy;

    /**
     * @param share seconds of device time that the slice may use in a second
     * @param sessions those that are open
     * @param deviceNanos device time of the slice up to now; may ask somebody
     */
    Meter(
            LedgerMemory ledger,
            double share,
            Supplier<List<HostedSession>> sessions,
            LongSupplier deviceNanos) {
        this.ledger = ledger;
        this.share = share;
        this.sessions = sessions;
        this.samples = new ProcessSamples(ledger);
        this.deviceNanos = deviceNanos;
    }

    /** Another share from now on; what was used before stays as it was counted. */
    synchronized void share(double seconds) {
        share = seconds;
    }

    /** A session has begun. */
    void wake() {
        PeriodicThread.include(this);
    }

    /** Afterwards the ledger is not touched. */
    synchronized void close() {
        closed = true;
    }

    @Override
    public boolean look() {
        List<HostedSession> open = sessions.get();
        long nanos = deviceNanos.getAsLong();
        synchronized (this) {
            // A session that ends is missing for a moment, and counted again afterwards.
            if (!closed && nanos > counted) {
                busy += (nanos - counted) / share;
                counted = nanos;
                ledger.busy((long) busy);
            }
            if (!closed) {
                samples.look(open, share / ledger.devices());
            }
            return !open.isEmpty() && !closed;
        }
    }
}
