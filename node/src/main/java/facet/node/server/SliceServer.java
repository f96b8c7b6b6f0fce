package facet.node.server;

import facet.abi.Constants;
import facet.device.Device;
import facet.doors.control.ControlException;
import facet.doors.control.Operations;
import facet.doors.events.Events;
import facet.doors.events.Kind;
import facet.doors.history.Sampled;
import facet.host.ledger.LedgerMemory;
import facet.host.ledger.UnsupportedCounts;
import facet.log.Log;
import facet.log.Who;
import facet.node.slice.SliceFolder;
import facet.os.Listener;
import facet.os.SocketKind;
import facet.slices.Isolation;
import facet.slices.Slice;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/** A slice that is open for clients. */
public final class SliceServer implements Operations.Made, Sampled, AutoCloseable {
    private static final int BACKLOG = 128;
    private static final int MOST_CONNECTIONS = 2 * Constants.LEDGER_SLOTS;

    private volatile Slice slice;
    private final List<Device> devices;
    private final List<Integer> numbers;
    private final SliceFolder folder;
    private final Door door;
    private final LedgerMemory ledger;
    private final Places places;
    private final SlicePlace place;

    /** What the place was made for; one thread at a time changes it. */
    private Isolation hosted;

    private final Events events;
    private final Log log;
    private final Sessions sessions;
    private final long opened = System.nanoTime();
    private final Meter meter;
    private final Ending ending = new Ending();

    /** Makes the place where the slice's sessions are hosted. */
    public interface Places {
        HostPlace open(Slice slice, List<Device> devices, LedgerMemory ledger) throws IOException;
    }

    private SliceServer(
            Slice slice,
            List<Device> devices,
            SliceFolder folder,
            Listener listener,
            LedgerMemory ledger,
            Places places,
            HostPlace first,
            Events events,
            Log log) {
        this.slice = slice;
        this.devices = devices;
        this.numbers = slice.devices().numbers();
        this.folder = folder;
        this.ledger = ledger;
        this.sessions = new Sessions(ledger, devices.size());
        this.places = places;
        this.place = new SlicePlace(first, sessions);
        this.hosted = slice.isolation();
        this.events = events.limited();
        this.log = log.limited();
        first.tally().listen(this::fault);
        this.meter =
                new Meter(
                        ledger,
                        share(slice, devices),
                        sessions::all,
                        () -> {
                            // For the next time: one slow worker is not to keep all from being
                            // looked after.
                            HostPlace.Asked _ = ask();
                            return deviceNanos();
                        });
        Reception reception =
                new Reception(
                        this::slice,
                        devices,
                        ledger,
                        sessions,
                        place,
                        meter,
                        this.events,
                        this.log);
        this.door = new Door(slice.name(), listener, MOST_CONNECTIONS, reception::serve, this.log);
    }

    /** Seconds of device time that the slice may use in a second. */
    private static double share(Slice slice, List<Device> devices) {
        int cores = Runtime.getRuntime().availableProcessors();
        return cores * devices.size() * slice.terms().most() / 100.0;
    }

    /**
     * @param parent where the slice's folder is made
     * @param devices those that the slice sees
     */
    public static SliceServer open(
            Slice slice, List<Device> devices, Path parent, Places places, Events events, Log log)
            throws IOException {
        SliceFolder folder = SliceFolder.create(parent, slice.name());
        try {
            return open(slice, devices, folder, places, events, log);
        } catch (IOException e) {
            folder.close();
            throw e;
        }
    }

    /**
     * @param folder stays when the slice cannot be opened
     */
    public static SliceServer open(
            Slice slice,
            List<Device> devices,
            SliceFolder folder,
            Places places,
            Events events,
            Log log)
            throws IOException {
        if (slice.devices().numbers().size() != devices.size()) {
            throw new IllegalArgumentException("slice " + slice.name() + " is on other devices");
        }
        LedgerMemory ledger = null;
        HostPlace place = null;
        try {
            ledger =
                    LedgerMemory.create(
                            slice.name(),
                            slice.memory(),
                            devices.stream().mapToLong(each -> each.profile().memory()).toArray());
            place = places.open(slice, devices, ledger);
            Listener listener =
                    Listener.open(
                            folder.socket(),
                            SocketKind.PACKETS,
                            BACKLOG,
                            PosixFilePermissions.fromString("rw-rw-rw-"));
            SliceServer server =
                    new SliceServer(
                            slice, devices, folder, listener, ledger, places, place, events, log);
            server.door.open();
            return server;
        } catch (IOException e) {
            if (place != null) {
                place.close();
            }
            if (ledger != null) {
                ledger.close();
            }
            throw e;
        }
    }

    /** Whoever found it has logged it. */
    private void fault(int session, String text) {
        events.addLogged(
                Kind.FAULT,
                sessions.find(session)
                        .map(known -> known.options().who())
                        .orElseGet(() -> Who.session(session, "program", slice.name())),
                text);
    }

    // ---- for others

    /**
     * What the slice is from now on, for those who add up what was promised; {@link #change} makes
     * it true. Never waits.
     */
    public void promise(Slice other) {
        if (!other.name().equals(slice.name()) || !other.devices().equals(slice.devices())) {
            throw new IllegalArgumentException("name and devices of a slice do not change");
        }
        slice = other;
    }

    /**
     * Another limit and other terms from now on; sessions go on. Name and devices stay. One thread
     * at a time. May wait for a worker of the slice.
     */
    public void change(Slice other) throws IOException {
        promise(other);
        if (other.isolation() != hosted) {
            moveTo(other);
            hosted = other.isolation();
        }
        place.now().change(other);
        meter.share(share(other, devices));
    }

    /** Refuses what cannot change while there are programs. */
    public void checkChange(Slice other) throws ControlException {
        if (other.isolation() != slice.isolation() && !sessions.areNone()) {
            throw new ControlException(inUse(other));
        }
    }

    private String inUse(Slice other) {
        return "slice '"
                + slice.name()
                + "' has isolation "
                + slice.isolation().text()
                + " and would get "
                + other.isolation().text()
                + "; that cannot change while programs use it: 'facet ps' lists them, end them"
                + " first";
    }

    /** Its programs are hosted elsewhere from now on. */
    private void moveTo(Slice other) throws IOException {
        HostPlace next = places.open(other, devices, ledger);
        next.tally().listen(this::fault);
        Optional<HostPlace> before = place.move(next);
        if (before.isEmpty()) {
            next.close();
            throw new IOException(inUse(other));
        }
        before.get().close();
    }

    @Override
    public Slice slice() {
        return slice;
    }

    @Override
    public Path socket() {
        return folder.socket();
    }

    /** How many use it; one that was welcomed counts before it is hosted. */
    public int programs() {
        return sessions.count();
    }

    public List<HostPlace.HostedSession> sessions() {
        return sessions.all();
    }

    /** Asks for the figures that follow. */
    public HostPlace.Asked ask() {
        return place.now().ask();
    }

    public long memoryUsed() {
        return sum(this::memoryUsed);
    }

    @Override
    public long memoryUsed(int device) {
        return sessions.memoryUsed(device);
    }

    /** Of sessions that have ended too. */
    public long launches() {
        return sessions.launches();
    }

    public long deviceNanos() {
        return sum(this::deviceNanos);
    }

    @Override
    public long deviceNanos(int device) {
        return place.deviceNanos(device);
    }

    private long sum(IntToLongFunction ofDevice) {
        return IntStream.range(0, devices.size()).mapToLong(ofDevice).sum();
    }

    /** Of sessions that have ended too. */
    public long faults() {
        return place.faults();
    }

    /** Empty when there was none. */
    public String lastFault() {
        return place.lastFault();
    }

    /** What its programs asked for and did not get. */
    public UnsupportedCounts unsupported() {
        return place.unsupported();
    }

    @Override
    public OptionalLong waitNanos() {
        return place.waitNanos();
    }

    // ---- for the history

    @Override
    public String name() {
        return slice.name();
    }

    @Override
    public List<Integer> devices() {
        return numbers;
    }

    @Override
    public int promised(Instant now) {
        return slice.terms().promised(now);
    }

    @Override
    public long openedNanos() {
        return opened;
    }

    @Override
    public long measuredNanos() {
        return place.now().measuredNanos();
    }

    /** The one that executes its programs, where there is one. */
    public Optional<HostPlace.OwnProcess> process() {
        return place.now().process();
    }

    public OptionalLong memoryResident() {
        return place.now().memoryResident();
    }

    /** Whether it has begun to end. */
    public boolean isClosed() {
        return sessions.isClosed();
    }

    /** Ends all sessions, waits for that, and removes the folder. */
    @Override
    public void close() {
        end(true, () -> {}).await();
    }

    /**
     * Begins to end all sessions, and returns. Nobody comes in any more.
     *
     * @param removesFolder otherwise it stays, without the socket: containers have it mounted
     * @param then runs when nothing is left, unless the end had begun before
     */
    public Ending end(boolean removesFolder, Runnable then) {
        if (sessions.close()) {
            try {
                door.close();
            } catch (IOException e) {
                log.error(Who.slice(slice.name()), "cannot be closed: " + e.getMessage());
            }
            ending.begin(
                    slice.name(),
                    log,
                    () -> {
                        finish(removesFolder);
                        then.run();
                    });
        }
        return ending;
    }

    private void finish(boolean removesFolder) {
        try {
            place.now().close();
            // A client that came at the last moment may still be looking at the ledger.
            sessions.awaitNone();
            if (removesFolder) {
                folder.close();
            }
        } catch (IOException e) {
            log.error(Who.slice(slice.name()), "cannot be closed: " + e.getMessage());
        } finally {
            meter.close();
            ledger.close();
        }
    }
}
