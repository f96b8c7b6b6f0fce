package facet.node.sharing;

import facet.sched.Terms;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** Shares of all slices on the devices of a node; follows the calendars of those that have one. */
public final class Sharing implements AutoCloseable {
    /** Clocks are set, zones change their rules: looked at no less often than this. */
    private static final Duration LONGEST_SLEEP = Duration.ofSeconds(30);

    private final List<DeviceSharing> devices;
    private final Set<SliceShare> slices = ConcurrentHashMap.newKeySet();
    private final Thread tide;
    private volatile boolean closed;

    public Sharing(List<DeviceSharing> devices) {
        this.devices = List.copyOf(devices);
        tide = Thread.ofVirtual().name("facet-tide").unstarted(this::followCalendars);
        tide.start();
    }

    /**
     * @param count of devices that the slice sees
     */
    public SliceShare join(Terms terms, int count) {
        SliceShare share = new SliceShare(this, terms, devices.subList(0, count));
        slices.add(share);
        calendarsChanged();
        return share;
    }

    void calendarsChanged() {
        LockSupport.unpark(tide);
    }

    void left(SliceShare share) {
        slices.remove(share);
    }

    private void followCalendars() {
        while (!closed) {
            Instant now = Instant.now();
            Instant next = null;
            for (SliceShare each : slices) {
                if (!each.terms().calendar().entries().isEmpty()) {
                    each.refresh(now);
                    Instant change = each.terms().calendar().nextChange(now);
                    next = next == null || change.isBefore(next) ? change : next;
                }
            }
            if (next == null) {
                LockSupport.park(this);
            } else {
                Duration sleep = Duration.between(now, next);
                LockSupport.parkNanos(
                        this,
                        sleep.compareTo(LONGEST_SLEEP) > 0
                                ? LONGEST_SLEEP.toNanos()
                                : sleep.toNanos());
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(tide);
    }
}
