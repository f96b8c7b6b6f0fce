package facet.node.sharing;

import facet.host.lease.SeatPage;
import facet.os.Bell;
import facet.os.Bells;
import facet.os.SchedulingUnsafe;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Lends seats to other processes as they ask, and takes them back in time. Its thread sleeps while
 * nobody asks and nothing is due.
 */
final class Broker implements AutoCloseable {
    /** How often processor time is compared with what was lent. */
    private static final long AUDIT = 100_000_000;

    /** The same while nobody uses any. */
    private static final long IDLE_AUDIT = 1_000_000_000;

    /** Rings of one bell between two audits; one that rings more is not heard until the next. */
    private static final int MOST_RINGS = 20_000;

    /**
     * So often it looks in a millisecond, for each seat: whoever rings and rings gets an answer
     * later, and costs a core no more than a part of its time.
     */
    private static final int LOOKS_FOR_SEAT = 5;

    private static final long MILLISECOND = 1_000_000;

    /** It works for microseconds, and whoever computes on its core is not to keep it waiting. */
    private static final long TIME_SLICE = 100_000;

    private static final long WHILE_MUTED = 1_000_000;
    private static final long LONGEST_SLEEP = 3_600_000_000_000L;

    private final List<DeviceSharing> devices;
    private final Bells bells;
    private final Map<Bell, Customer> leases = new ConcurrentHashMap<>();
    private final Thread thread;
    private final int mostLooks;
    private long windowEnd = System.nanoTime();
    private int looks;
    private volatile long planned;
    private volatile boolean closed;

    /** A process that may borrow. */
    interface Customer {
        Ringing ringing();

        /**
         * Looks at what it did since the last time. On the broker's thread.
         *
         * @return whether it did more than a process does that has nothing to do
         */
        boolean audit(Bells bells) throws IOException;
    }

    Broker(List<DeviceSharing> devices) throws IOException {
        this.devices = devices;
        mostLooks = LOOKS_FOR_SEAT * devices.stream().mapToInt(DeviceSharing::seats).sum();
        bells = Bells.open();
        thread = Thread.ofPlatform().name("facet-seats").daemon().unstarted(this::attendAll);
        devices.forEach(each -> each.alarm(this::by));
        thread.start();
    }

    Bell bell() throws IOException {
        return bells.add();
    }

    void add(Customer lease) {
        leases.put(lease.ringing().bell(), lease);
        bells.wake(); // from now on there is something to audit
    }

    void remove(Customer lease) {
        leases.remove(lease.ringing().bell());
        bells.remove(lease.ringing().bell());
    }

    /** Something is due at this time, perhaps earlier than was known. */
    private void by(long time) {
        if (time < planned) {
            planned = time;
            bells.wake();
        }
    }

    private void attendAll() {
        if (!SchedulingUnsafe.askToBeFirst()) {
            SchedulingUnsafe.askForTurns(TIME_SLICE);
        }
        long nextAudit = System.nanoTime();
        boolean muted = false;
        while (!closed) {
            long now = System.nanoTime();
            if (now >= nextAudit) {
                muted = false;
                nextAudit = now + (auditAll() ? AUDIT : IDLE_AUDIT);
            }
            planned = SeatPage.NEVER;
            long next = leases.isEmpty() ? SeatPage.NEVER : nextAudit;
            for (DeviceSharing each : devices) {
                next = Math.min(next, each.attend());
            }
            if (muted) {
                next = Math.min(next, System.nanoTime() + WHILE_MUTED);
            }
            planned = Math.min(next, planned);
            pace(now);
            long nanos = Math.min(planned - System.nanoTime(), LONGEST_SLEEP);
            Optional<Bell> rung = bells.await(nanos);
            if (rung.isPresent()) {
                nextAudit = Math.min(nextAudit, System.nanoTime() + AUDIT);
            }
            muted |= rung.isPresent() && isTooLoud(leases.get(rung.get()));
        }
    }

    /** Waits for the next millisecond when this one had many looks. */
    private void pace(long now) {
        long end = windowEnd;
        if (now - end >= 0) {
            windowEnd = now + MILLISECOND;
            looks = 0;
        } else if (++looks > mostLooks) {
            LockSupport.parkNanos(end - now);
        }
    }

    /** Whether any of those who may borrow does something. */
    private boolean auditAll() {
        boolean busy = false;
        for (Customer each : leases.values()) {
            busy |= audit(each);
        }
        return busy;
    }

    private boolean audit(Customer lease) {
        try {
            return lease.audit(bells);
        } catch (IOException e) {
            // It is being closed: the next audit is without it.
            leases.remove(lease.ringing().bell(), lease);
            return false;
        }
    }

    private boolean isTooLoud(@Nullable Customer lease) {
        return lease != null && lease.ringing().rang() > MOST_RINGS && lease.ringing().mute(bells);
    }

    @Override
    public void close() {
        closed = true;
        bells.close();
    }
}
