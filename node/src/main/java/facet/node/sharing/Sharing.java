package facet.node.sharing;

import facet.node.slice.CompilerThreads;
import facet.sched.Terms;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Shares of all slices on the devices of a node; follows the calendars of those that have one. */
public final class Sharing implements AutoCloseable {
    /** Clocks are set, zones change their rules: looked at no less often than this. */
    private static final Duration LONGEST_SLEEP = Duration.ofSeconds(30);

    private final List<DeviceSharing> devices;

    /** For programs that have a driver in them: the time of the device that it drives. */
    private final List<DeviceSharing> times;

    private final Set<SliceShare> slices = ConcurrentHashMap.newKeySet();
    private final Thread tide;
    private @Nullable Broker broker;
    private volatile @Nullable Newcomers newcomers;
    private volatile boolean closed;

    public Sharing(List<DeviceSharing> devices) {
        this.devices = List.copyOf(devices);
        // A device whose seats are this machine's cores is none that another driver could have.
        this.times =
                devices.stream()
                        .map(each -> each.isWhole() ? each : DeviceSharing.ofTime())
                        .toList();
        tide = Thread.ofVirtual().name("facet-tide").unstarted(this::followCalendars);
        tide.start();
    }

    /**
     * @param numbers of the devices that the slice sees
     * @param codeName see {@link facet.device.Arbiter.Share#codeName}
     */
    public SliceShare join(Terms terms, List<Integer> numbers, Optional<String> codeName) {
        return join(terms, numbers, false, codeName);
    }

    /** The same for a slice whose work is in a process of its own: {@link SliceShare#lendTo}. */
    public SliceShare joinRemote(Terms terms, List<Integer> numbers) {
        return join(terms, numbers, true, Optional.empty());
    }

    private SliceShare join(
            Terms terms, List<Integer> numbers, boolean remote, Optional<String> codeName) {
        SliceShare share =
                new SliceShare(
                        this,
                        terms,
                        numbers.stream().map(devices::get).toList(),
                        numbers.stream().map(times::get).toList(),
                        remote,
                        codeName);
        slices.add(share);
        calendarsChanged();
        return share;
    }

    /** Made when the first worker is lent a seat. */
    synchronized Broker broker() throws IOException {
        if (closed) {
            throw new IOException("the devices are closed");
        }
        Broker made = broker;
        if (made == null) {
            made = new Broker(Stream.concat(devices.stream(), times.stream()).distinct().toList());
            broker = made;
        }
        return made;
    }

    /**
     * From now on the JVM's compilers come forward for slices that have new code.
     *
     * @param compilers of this process
     */
    public void helpNewcomers(CompilerThreads compilers) {
        Newcomers made = new Newcomers(compilers);
        for (DeviceSharing each : devices) {
            each.whenCodeIsMade((member, nanos) -> made.arrived(each, member, nanos));
        }
        newcomers = made;
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
    public synchronized void close() {
        closed = true;
        LockSupport.unpark(tide);
        Newcomers helped = newcomers;
        if (helped != null) {
            helped.close();
        }
        if (broker != null) {
            broker.close();
        }
    }
}
