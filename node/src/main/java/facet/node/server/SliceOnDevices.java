package facet.node.server;

import facet.device.Device;
import facet.doors.history.Sampled;
import facet.host.ledger.LedgerMemory;
import facet.slices.Slice;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.IntToLongFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * What a slice has on its devices: quota, sessions, the place where they are hosted, and counters
 * that begin at 0. A slice that moves to other devices gets another one.
 */
final class SliceOnDevices implements Sampled, AutoCloseable {
    /** Numbers from here on are those of another node's devices: none of this one has them. */
    static final int ELSEWHERE = 1 << 16;

    private final Supplier<Slice> slice;
    private final List<Device> visible;
    private final List<Integer> numbers;
    private final LedgerMemory ledger;
    private final Sessions sessions;
    private final SlicePlace place;
    private final Meter meter;
    private final long opened = System.nanoTime();

    private SliceOnDevices(
            Slice first,
            Supplier<Slice> slice,
            List<Device> visible,
            LedgerMemory ledger,
            HostPlace hosts) {
        this.slice = slice;
        this.visible = List.copyOf(visible);
        this.numbers =
                first.devices().isElsewhere()
                        ? first.devices().numbers().stream().map(each -> ELSEWHERE + each).toList()
                        : first.devices().numbers();
        this.ledger = ledger;
        this.sessions = new Sessions(ledger, visible.size());
        this.place = new SlicePlace(hosts, sessions);
        this.meter =
                new Meter(
                        ledger,
                        share(first),
                        sessions::all,
                        () -> {
                            // For the next time: one slow worker is not to keep all from being
                            // looked after.
                            HostPlace.Asked _ = place.now().ask();
                            return deviceNanos();
                        });
    }

    /**
     * @param first the slice as it is when it comes there
     * @param slice as it is later
     * @param visible the devices
     */
    static SliceOnDevices open(
            Slice first, Supplier<Slice> slice, List<Device> visible, SliceServer.Places places)
            throws IOException {
        if (first.devices().numbers().size() != visible.size()) {
            throw new IllegalArgumentException("slice " + first.name() + " is on other devices");
        }
        LedgerMemory ledger =
                LedgerMemory.create(
                        first.name(),
                        first.memory(),
                        visible.stream().mapToLong(each -> each.profile().memory()).toArray());
        ledger.strict(first.driving().strict());
        try {
            HostPlace hosts = places.open(first, visible, ledger);
            return new SliceOnDevices(first, slice, visible, ledger, hosts);
        } catch (IOException e) {
            ledger.close();
            throw e;
        }
    }

    /** Seconds of device time that the slice may use in a second. */
    private double share(Slice other) {
        int cores = Runtime.getRuntime().availableProcessors();
        return cores * visible.size() * other.terms().most() / 100.0;
    }

    List<Device> visible() {
        return visible;
    }

    LedgerMemory ledger() {
        return ledger;
    }

    Sessions sessions() {
        return sessions;
    }

    SlicePlace place() {
        return place;
    }

    /** A session has begun. */
    void wakeMeter() {
        meter.wake();
    }

    /** Another limit and other terms. May wait for a worker of the slice. */
    void change(Slice other) throws IOException {
        place.now().change(other);
        ledger.strict(other.driving().strict());
        meter.share(share(other));
    }

    /** Ends what is there and waits for that; afterwards nobody looks at the ledger. */
    @Override
    public void close() {
        try {
            place.now().close();
            // A client that came at the last moment may still be looking at the ledger.
            sessions.awaitNone();
        } finally {
            meter.close();
            ledger.close();
        }
    }

    long memoryUsed() {
        return sum(this::memoryUsed);
    }

    long deviceNanos() {
        return sum(this::deviceNanos);
    }

    private long sum(IntToLongFunction ofDevice) {
        return IntStream.range(0, visible.size()).mapToLong(ofDevice).sum();
    }

    // ---- for the history

    @Override
    public String name() {
        return slice.get().name();
    }

    @Override
    public List<Integer> devices() {
        return numbers;
    }

    @Override
    public int promised(Instant now) {
        return slice.get().terms().promised(now);
    }

    @Override
    public long openedNanos() {
        return opened;
    }

    @Override
    public long measuredNanos() {
        return place.now().measuredNanos();
    }

    @Override
    public long memoryUsed(int device) {
        return sessions.memoryUsed(device);
    }

    @Override
    public long deviceNanos(int device) {
        return place.deviceNanos(device);
    }

    @Override
    public OptionalLong waitNanos() {
        return place.waitNanos();
    }
}
