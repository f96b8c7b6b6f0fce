package facet.node.server;

import facet.abi.Constants;
import facet.abi.Result;
import facet.device.Device;
import facet.node.control.ControlException;
import facet.node.control.Operations;
import facet.node.events.Events;
import facet.node.events.Kind;
import facet.node.history.Sampled;
import facet.node.log.Log;
import facet.node.log.Who;
import facet.node.session.SessionOptions;
import facet.node.slice.Isolation;
import facet.node.slice.LedgerMemory;
import facet.node.slice.Slice;
import facet.node.slice.SliceFolder;
import facet.os.Connection;
import facet.os.Descriptors;
import facet.os.Listener;
import facet.os.Message;
import facet.os.SocketKind;
import facet.ring.SessionMemory;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/** A slice that is open for clients. */
public final class SliceServer implements Operations.Made, Sampled, AutoCloseable {
    /** A client that does not greet, or does not take what it is sent, is let go. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final int BACKLOG = 128;
    private static final int MOST_CONNECTIONS = 2 * Constants.LEDGER_SLOTS;
    private static final int STACK_BYTES = 256 << 10;

    /** A connection, the session memory, and one of them once more on its way to a worker. */
    private static final int SESSION_DESCRIPTORS = 3;

    /** Sessions are numbered over the daemon's life. */
    private static final AtomicInteger SESSIONS = new AtomicInteger();

    private volatile Slice slice;
    private final List<Device> devices;
    private final SliceFolder folder;
    private final Listener listener;
    private final LedgerMemory ledger;
    private final Places places;
    private final SlicePlace place;

    /** What the place was made for; one thread at a time changes it. */
    private Isolation hosted;

    private final Events events;
    private final Log log;
    private final Semaphore room = new Semaphore(MOST_CONNECTIONS);
    private final Arrivals arrivals = Arrivals.inProcess();
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
        this.folder = folder;
        this.listener = listener;
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
        LedgerMemory ledger = null;
        HostPlace place = null;
        try {
            ledger = LedgerMemory.create(slice.name(), slice.memory(), devices.size());
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
            Thread.ofPlatform()
                    .name("facet-slice-" + slice.name())
                    .stackSize(STACK_BYTES)
                    .daemon()
                    .start(server::acceptAll);
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

    // ---- connections

    private void acceptAll() {
        try {
            while (true) {
                room.acquireUninterruptibly();
                Optional<Connection> connection = accept();
                if (connection.isEmpty()) {
                    return;
                }
                Connection client = connection.get();
                TimeUnit.NANOSECONDS.sleep(arrivals.enter(System.nanoTime()));
                startServing(client);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void startServing(Connection client) {
        try {
            Thread.ofPlatform()
                    .name("facet-connection")
                    .stackSize(STACK_BYTES)
                    .daemon()
                    .start(() -> {
                        try {
                            serve(client);
                        } finally {
                            left();
                        }
                    });
        } catch (OutOfMemoryError e) {
            // The system has no thread for it; the next client may find one.
            log.error(Who.slice(slice.name()), "a client is let go: " + e.getMessage());
            client.close();
            left();
        }
    }

    private void left() {
        arrivals.leave();
        room.release();
    }

    private Optional<Connection> accept() throws InterruptedException {
        while (true) {
            try {
                return listener.accept();
            } catch (IOException e) {
                // Out of descriptors, most likely: give others time to close theirs.
                log.error(Who.slice(slice.name()), String.valueOf(e.getMessage()));
                Thread.sleep(200);
            }
        }
    }

    /** Greets a client, then waits for its end. */
    private void serve(Connection connection) {
        HostPlace.HostedSession session = null;
        try {
            connection.limitSends(PATIENCE);
            if (!connection.awaitReadable(PATIENCE)) {
                return;
            }
            Optional<Message> hello = connection.receive(4096);
            if (hello.isEmpty()) {
                return;
            }
            hello.get().closeDescriptors();
            session = greet(connection, Greeting.read(hello.get().bytes()));
            if (session != null) {
                String why = awaitEnd(connection);
                session.end(why);
            }
        } catch (IOException e) {
            log.debug(Who.slice(slice.name()), "a connection broke: " + e.getMessage());
            if (session != null) {
                session.end("its connection broke: " + e.getMessage());
            }
        } catch (RuntimeException | OutOfMemoryError e) {
            log.error(Who.slice(slice.name()), "a client is let go: " + e);
        } finally {
            connection.close();
        }
    }

    private static String awaitEnd(Connection connection) throws IOException {
        Optional<Message> more = connection.receive(64);
        if (more.isEmpty()) {
            return "its program has ended";
        }
        more.get().closeDescriptors();
        return "it sent a message that nobody expects";
    }

    private HostPlace.@org.jspecify.annotations.Nullable HostedSession greet(
            Connection connection, Greeting.Hello hello) throws IOException {
        if (!hello.isOurs()) {
            log.debug(Who.slice(slice.name()), "somebody connected who is no Facet client");
            return null;
        }
        if (hello.protocol() != Constants.PROTOCOL) {
            refuse(
                    connection,
                    hello,
                    Result.ERROR_SYSTEM_DRIVER_MISMATCH,
                    "the daemon speaks protocol "
                            + Constants.PROTOCOL
                            + ", this program's libraries "
                            + hello.protocol()
                            + "; use libraries and daemon of one version");
            return null;
        }
        OptionalInt slot = sessions.takeSlot();
        if (slot.isEmpty() && sessions.isClosed()) {
            refuseLate(connection, hello);
            return null;
        }
        if (slot.isEmpty()) {
            refuse(
                    connection,
                    hello,
                    Result.ERROR_DEVICE_UNAVAILABLE,
                    "slice "
                            + slice.name()
                            + " has "
                            + Constants.LEDGER_SLOTS
                            + " programs already; end one, or use another slice");
            return null;
        }
        if (!place.now().tally().takeDescriptors(SESSION_DESCRIPTORS)) {
            sessions.freeSlot(slot.getAsInt());
            refuse(
                    connection,
                    hello,
                    Result.ERROR_DEVICE_UNAVAILABLE,
                    "slice "
                            + slice.name()
                            + " has too many programs for the daemon's limit of open"
                            + " files; end some, or raise the limit (ulimit -Hn,"
                            + " LimitNOFILE)");
            return null;
        }
        if (sessions.isClosed()) {
            place.now().tally().giveDescriptors(SESSION_DESCRIPTORS);
            sessions.freeSlot(slot.getAsInt());
            refuseLate(connection, hello);
            return null;
        }
        boolean ready;
        try {
            ready = place.now().prepare();
        } catch (IOException e) {
            place.now().tally().giveDescriptors(SESSION_DESCRIPTORS);
            sessions.freeSlot(slot.getAsInt());
            refuse(
                    connection,
                    hello,
                    Result.ERROR_DEVICE_UNAVAILABLE,
                    String.valueOf(e.getMessage()));
            return null;
        }
        return begin(connection, hello, slot.getAsInt(), ready);
    }

    private void refuseLate(Connection connection, Greeting.Hello hello) throws IOException {
        refuse(
                connection,
                hello,
                Result.ERROR_DEVICE_UNAVAILABLE,
                "slice " + slice.name() + " has just been deleted; use another one");
    }

    private void refuse(Connection connection, Greeting.Hello hello, int result, String why)
            throws IOException {
        events.add(Kind.REFUSED, Who.slice(slice.name()), program(hello) + ": " + why);
        connection.send(Greeting.refusal(result, why));
    }

    private static String program(Greeting.Hello hello) {
        return hello.name().isBlank() ? "program" : hello.name();
    }

    /**
     * @param ready otherwise the program is welcomed before it is hosted, and waits with its first
     *     call
     */
    private HostPlace.HostedSession begin(
            Connection connection, Greeting.Hello hello, int slot, boolean ready)
            throws IOException {
        int id = SESSIONS.incrementAndGet();
        CountDownLatch registered = new CountDownLatch(1);
        AtomicBoolean over = new AtomicBoolean();
        Runnable atEnd =
                () -> {
                    if (over.compareAndSet(false, true)) {
                        ended(id, slot, registered);
                    }
                };
        HostPlace.HostedSession session;
        int forClient = -1;
        try {
            SessionMemory memory = SessionMemory.create(slice.name(), Snapshots.of(devices, slice));
            try {
                forClient = Descriptors.duplicate(memory.descriptor());
                int pid = connection.peer().pid();
                SessionOptions options =
                        new SessionOptions(
                                id,
                                slice.name(),
                                program(hello),
                                pid == 0 ? hello.pid() : pid,
                                slot,
                                slice.memory());
                ledger.enter(slot, hello.pid());
                if (!ready) {
                    welcome(connection, options, forClient);
                }
                session = place.now().open(options, memory, connection, atEnd);
            } catch (IOException | RuntimeException | OutOfMemoryError e) {
                memory.close();
                throw e;
            }
            sessions.add(id, session);
            events.add(Kind.SESSION_OPENED, session.options().who(), process(session));
            registered.countDown();
            meter.wake();
            if (ready) {
                try {
                    welcome(connection, session.options(), forClient);
                } catch (IOException e) {
                    session.end("it did not take its welcome: " + e.getMessage());
                    throw e;
                }
            }
            return session;
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            if (registered.getCount() > 0) {
                registered.countDown();
                atEnd.run();
            }
            throw e;
        } finally {
            if (forClient >= 0) {
                Descriptors.close(forClient);
            }
        }
    }

    private static String process(HostPlace.HostedSession session) {
        return "process " + session.options().pid();
    }

    /** Comes last where it can: what a program sees of itself is there when it is welcomed. */
    private void welcome(Connection connection, SessionOptions options, int memory)
            throws IOException {
        connection.send(
                Greeting.welcome(options.id(), options.ledgerSlot()), memory, ledger.descriptor());
    }

    /** The session has given back what it had. */
    private void ended(int id, int slot, CountDownLatch registered) {
        boolean interrupted = false;
        while (true) {
            try {
                registered.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        place.now().tally().giveDescriptors(SESSION_DESCRIPTORS);
        sessions.freeSlot(slot);
        // Last: whoever sees that it is gone finds its place free.
        sessions.end(id).ifPresent(this::tellEnd);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void tellEnd(HostPlace.HostedSession session) {
        events.add(
                Kind.SESSION_ENDED,
                session.options().who(),
                String.format(
                        Locale.ROOT,
                        "%d launches, %.3f s of device time",
                        session.launches(),
                        session.deviceNanos() / 1e9));
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
        if (!other.name().equals(slice.name()) || other.devices() != slice.devices()) {
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
        return IntStream.range(0, devices()).mapToLong(ofDevice).sum();
    }

    /** Of sessions that have ended too. */
    public long faults() {
        return place.faults();
    }

    /** Empty when there was none. */
    public String lastFault() {
        return place.lastFault();
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
    public int devices() {
        return sessions.devices();
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
                listener.close();
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
