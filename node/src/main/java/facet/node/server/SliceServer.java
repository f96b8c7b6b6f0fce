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
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/** A slice that is open for clients. */
public final class SliceServer implements Operations.Made, AutoCloseable {
    private static final int BACKLOG = 128;
    private static final int MOST_CONNECTIONS = 2 * Constants.LEDGER_SLOTS;

    private volatile Slice slice;
    private final SliceFolder folder;
    private final Door door;
    private final Places places;
    private final Events events;
    private final Log log;
    private final Ending ending = new Ending();

    /** Where it is, and what it has used before it came there; they change together. */
    private volatile There there;

    /** What the place was made for; one thread at a time changes it. */
    private Isolation hosted;

    private record There(SliceOnDevices on, Totals before) {}

    /** Makes the place where the slice's sessions are hosted. */
    public interface Places {
        HostPlace open(Slice slice, List<Device> devices, LedgerMemory ledger) throws IOException;
    }

    private SliceServer(
            Slice slice,
            List<Device> devices,
            SliceFolder folder,
            Places places,
            Events events,
            Log log)
            throws IOException {
        this.slice = slice;
        this.folder = folder;
        this.places = places;
        this.hosted = slice.isolation();
        this.events = events.limited();
        this.log = log.limited();
        SliceOnDevices first = SliceOnDevices.open(slice, this::slice, devices, places);
        this.there = new There(first, Totals.NONE);
        first.place().now().tally().listen(this::fault);
        Reception reception = new Reception(this::slice, this::on, folder, this.events, this.log);
        try {
            Listener listener =
                    Listener.open(
                            folder.socket(),
                            SocketKind.PACKETS,
                            BACKLOG,
                            PosixFilePermissions.fromString("rw-rw-rw-"));
            this.door =
                    new Door(slice.name(), listener, MOST_CONNECTIONS, reception::serve, this.log);
        } catch (IOException e) {
            first.close();
            throw e;
        }
    }

    /**
     * @param parent where the slice's folder is made
     * @param devices those that the slice sees
     */
    public static SliceServer open(
            Slice slice, List<Device> devices, Path parent, Places places, Events events, Log log)
            throws IOException {
        SliceFolder folder = SliceFolder.create(parent, slice.name(), false);
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
        SliceServer server = new SliceServer(slice, devices, folder, places, events, log);
        server.door.open();
        return server;
    }

    private SliceOnDevices on() {
        return there.on();
    }

    private Sessions sessionsThere() {
        return on().sessions();
    }

    /** Whoever found it has logged it. */
    private void fault(int session, String text) {
        events.addLogged(
                Kind.FAULT,
                sessionsThere()
                        .find(session)
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
            throw new IllegalArgumentException("this slice has another name or other devices");
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
            hostElsewhere(other);
            hosted = other.isolation();
        }
        on().change(other);
    }

    /** Refuses what cannot change while there are programs. */
    public void checkChange(Slice other) throws ControlException {
        boolean idle = sessionsThere().areNone();
        if (!other.devices().equals(slice.devices()) && !idle) {
            throw new ControlException(inUse(moves(other)));
        }
        if (other.isolation() != slice.isolation() && !idle) {
            throw new ControlException(inUse(isolates(other)));
        }
    }

    private String inUse(String what) {
        return "slice '"
                + slice.name()
                + "' has "
                + what
                + "; that cannot change while programs use it: 'facet ps' lists them, end them"
                + " first";
    }

    private String isolates(Slice other) {
        return "isolation "
                + slice.isolation().text()
                + " and would get "
                + other.isolation().text();
    }

    private String moves(Slice other) {
        return slice.devices().words() + " and would get " + other.devices().words();
    }

    /** Its programs are hosted elsewhere from now on. */
    private void hostElsewhere(Slice other) throws IOException {
        SliceOnDevices on = on();
        HostPlace next = places.open(other, on.visible(), on.ledger());
        next.tally().listen(this::fault);
        Optional<HostPlace> before = on.place().move(next);
        if (before.isEmpty()) {
            next.close();
            throw new IOException(inUse(isolates(other)));
        }
        before.get().close();
    }

    /** Makes what it needs on another node; may wait for that node. */
    public void settle() throws IOException {
        on().place().now().settle();
    }

    /**
     * Moves it to other devices, with another quota, shares of their time and counters of its own.
     * Its socket stays; a client that comes meanwhile is hosted there. Never waits.
     *
     * @param devices those that it sees from now on
     * @return what it had on the devices before: nobody is there any more; to be closed
     * @throws IOException it stays where it is: programs use it, or it has ended
     */
    public SliceMoved move(Slice other, List<Device> devices) throws IOException {
        SliceOnDevices next = SliceOnDevices.open(other, this::slice, devices, places);
        next.place().now().tally().listen(this::fault);
        next.place().unsupported().addAll(unsupported());
        There before = there;
        boolean moved =
                before.on()
                        .sessions()
                        .closeIfNone(() -> {
                            // In this order: who comes there finds the slice that is there.
                            slice = other;
                            there = new There(next, before.before().plus(before.on()));
                        });
        if (!moved) {
            next.close();
            throw new IOException(
                    isClosed() ? "slice '" + slice.name() + "' has ended" : inUse(moves(other)));
        }
        hosted = other.isolation();
        return new SliceMoved(before.on());
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
        return sessionsThere().count();
    }

    public List<HostPlace.HostedSession> sessions() {
        return sessionsThere().all();
    }

    /** Asks for the figures that follow. */
    public HostPlace.Asked ask() {
        return on().place().now().ask();
    }

    /** Where it is, for the history: another one when it has moved. */
    public Sampled sampled() {
        return on();
    }

    /** Numbers of its devices. */
    public List<Integer> devices() {
        return on().devices();
    }

    /**
     * What it has of one of its devices.
     *
     * @param device its number
     * @param memory bytes
     * @param nanos device time, also before it left the device and came back
     */
    public record OnDevice(int device, long memory, long nanos) {}

    /** Of all its devices at one moment: it may be elsewhere in the next. */
    public List<OnDevice> onDevices() {
        There now = there;
        List<Integer> numbers = now.on().devices();
        return IntStream.range(0, numbers.size())
                .mapToObj(i ->
                        new OnDevice(
                                numbers.get(i),
                                now.on().memoryUsed(i),
                                now.before().deviceNanos(now.on(), i)))
                .toList();
    }

    /** What its programs asked for and did not get. */
    public UnsupportedCounts unsupported() {
        return on().place().unsupported();
    }

    public long memoryUsed() {
        return on().memoryUsed();
    }

    /** The one that executes its programs, where there is one. */
    public Optional<HostPlace.OwnProcess> process() {
        return on().place().now().process();
    }

    public OptionalLong memoryResident() {
        return on().place().now().memoryResident();
    }

    // ---- what it has used, on devices that it left too, and sessions that have ended

    public long launches() {
        There now = there;
        return now.before().launches(now.on());
    }

    public long deviceNanos() {
        There now = there;
        return now.before().deviceNanos(now.on());
    }

    public long faults() {
        There now = there;
        return now.before().faults(now.on());
    }

    /** Empty when there was none. */
    public String lastFault() {
        There now = there;
        return now.before().lastFault(now.on());
    }

    public OptionalLong waitNanos() {
        There now = there;
        return now.before().waitNanos(now.on());
    }

    // ---- its end

    /** Whether it has begun to end. */
    public boolean isClosed() {
        while (true) {
            SliceOnDevices on = on();
            boolean closed = on.sessions().isClosed();
            if (on == on()) {
                return closed;
            }
        }
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
        if (closeSessions()) {
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

    /** False when somebody has done it before. */
    private boolean closeSessions() {
        while (true) {
            SliceOnDevices on = on();
            if (on.sessions().close()) {
                return true;
            }
            if (on == on()) {
                return false;
            }
            // It has just moved to other devices.
        }
    }

    private void finish(boolean removesFolder) {
        try {
            on().close();
            if (removesFolder) {
                folder.close();
            }
        } catch (IOException e) {
            log.error(Who.slice(slice.name()), "cannot be closed: " + e.getMessage());
        }
    }
}
