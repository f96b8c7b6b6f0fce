package facet.node.server;

import facet.host.ledger.LedgerMemory;
import facet.node.server.HostPlace.HostedSession;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How busy each program of a slice is, for its programs to read. One sample a session and device:
 * of the last time in which it used any device time.
 */
final class ProcessSamples {
    private final LedgerMemory ledger;
    private Map<Integer, long[]> before = new HashMap<>();
    private long last = System.nanoTime();

    ProcessSamples(LedgerMemory ledger) {
        this.ledger = ledger;
    }

    /**
     * @param share seconds of a device's time that the slice may use in a second
     */
    void look(List<HostedSession> sessions, double share) {
        look(sessions, share, System.nanoTime(), Instant.now());
    }

    void look(List<HostedSession> sessions, double share, long nanos, Instant now) {
        double possible = share * (nanos - last);
        last = nanos;
        Map<Integer, long[]> seen = new HashMap<>();
        for (HostedSession session : sessions) {
            int slot = session.options().ledgerSlot();
            long[] old = before.getOrDefault(session.options().id(), new long[ledger.devices()]);
            long[] used = new long[ledger.devices()];
            for (int device = 0; device < used.length; device++) {
                used[device] = session.deviceNanos(device);
                if (used[device] > old[device] && possible > 0) {
                    double percent = 100 * (used[device] - old[device]) / possible;
                    ledger.sample(
                            device,
                            slot,
                            ChronoUnit.MICROS.between(Instant.EPOCH, now),
                            Math.clamp(Math.round(percent), 0, 100));
                }
            }
            seen.put(session.options().id(), used);
        }
        before = seen;
    }
}
