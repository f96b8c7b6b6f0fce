package facet.node.server;

import facet.abi.Constants;
import facet.abi.Result;
import facet.device.Device;
import facet.doors.events.Events;
import facet.doors.events.Kind;
import facet.host.session.SessionOptions;
import facet.log.Log;
import facet.log.Who;
import facet.node.sharing.ProgramLease;
import facet.node.sharing.SliceShare;
import facet.node.slice.SliceFolder;
import facet.os.Connection;
import facet.os.Descriptors;
import facet.os.Message;
import facet.ring.SessionMemory;
import facet.slices.Slice;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Greets the clients of a slice, makes their sessions, or says why not. */
final class Reception {
    /** A client that does not greet, or does not take what it is sent, is let go. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** A connection, the session memory, and one of them once more on its way to a worker. */
    private static final int SESSION_DESCRIPTORS = 3;

    /** What is lent to a program with the vendor's driver in it: the page and the bell. */
    private static final int LEASE_DESCRIPTORS = 2;

    /** Sessions are numbered over the daemon's life. */
    private static final AtomicInteger SESSIONS = new AtomicInteger();

    private final Supplier<Slice> slice;
    private final Supplier<SliceOnDevices> there;
    private final SliceFolder folder;
    private final Events events;
    private final Log log;

    /**
     * @param there where the slice is now; it stays there while a session has its slot
     * @param folder who gets in where
     */
    Reception(
            Supplier<Slice> slice,
            Supplier<SliceOnDevices> there,
            SliceFolder folder,
            Events events,
            Log log) {
        this.slice = slice;
        this.there = there;
        this.folder = folder;
        this.events = events;
        this.log = log;
    }

    private String name() {
        return slice.get().name();
    }

    /** Greets a client, then waits for its end. */
    void serve(Connection connection) {
        Optional<HostPlace.HostedSession> session = Optional.empty();
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
            if (session.isPresent()) {
                session.get().end(awaitEnd(connection));
            }
        } catch (IOException e) {
            log.debug(Who.slice(name()), "a connection broke: " + e.getMessage());
            session.ifPresent(each -> each.end("its connection broke: " + e.getMessage()));
        } catch (RuntimeException | OutOfMemoryError e) {
            log.error(Who.slice(name()), "a client is disconnected: " + e);
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
        return "it sent an unexpected message";
    }

    private Optional<HostPlace.HostedSession> greet(Connection connection, Greeting.Hello hello)
            throws IOException {
        if (!hello.isOurs()) {
            log.debug(Who.slice(name()), "something connected that is not a Facet client");
            return Optional.empty();
        }
        try {
            checkProtocol(hello);
            if (hello.direct()) {
                checkDirect();
            }
            Entered entered = enter(hello.direct());
            boolean ready = prepare(entered);
            Optional<ProgramLease> lease = hello.direct() ? lend(entered) : Optional.empty();
            return Optional.of(begin(connection, hello, entered, ready, lease));
        } catch (Refusal e) {
            events.add(Kind.REFUSED, Who.slice(name()), program(hello) + ": " + e.why());
            connection.send(Greeting.refusal(e.result, e.why()));
            return Optional.empty();
        }
    }

    /** Why a client gets no session, and what it may do. */
    private static final class Refusal extends Exception {
        private static final long serialVersionUID = 1;

        private final int result;

        private Refusal(int result, String why) {
            super(why);
            this.result = result;
        }

        private static Refusal unavailable(String why) {
            return new Refusal(Result.ERROR_DEVICE_UNAVAILABLE, why);
        }

        private String why() {
            return String.valueOf(getMessage());
        }
    }

    private void checkProtocol(Greeting.Hello hello) throws Refusal {
        List<Device> devices = there.get().visible();
        Optional<String> difference =
                hello.difference()
                        .or(() ->
                                hello.cannotRead(devices.stream().allMatch(Device::sharesMemory)));
        if (difference.isPresent()) {
            throw new Refusal(
                    Result.ERROR_SYSTEM_DRIVER_MISMATCH,
                    difference.get() + "; use libraries and daemon of one version");
        }
    }

    /**
     * Who is lent a device's time has only itself to give it back. That is for programs that have
     * the vendor's driver, and for nobody who merely says so.
     */
    private void checkDirect() throws Refusal {
        boolean direct =
                switch (slice.get().driving().engine()) {
                    case DIRECT -> folder.letsDirectIn(true);
                    case FORWARDED -> false;
                    case AUTO ->
                            folder.letsDirectIn(false)
                                    && there.get().visible().stream()
                                            .allMatch(each -> each.id().isPresent());
                };
        if (!direct || slice.get().devices().isElsewhere()) {
            throw new Refusal(
                    Result.ERROR_NOT_PERMITTED,
                    "this slice is not for the direct engine: start the program by 'facet run', or"
                            + " 'facet slice set NAME --engine direct'; for containers facetd needs"
                            + " --container-most engine=direct");
        }
    }

    /** A session that has its slot in the ledger, and descriptors. */
    private record Entered(SliceOnDevices on, int slot, int descriptors) {
        void leave() {
            on.place().now().tally().giveDescriptors(descriptors);
            on.sessions().freeSlot(slot);
        }
    }

    /** Takes what a session needs of the slice: a slot in its ledger, and descriptors. */
    private Entered enter(boolean direct) throws Refusal {
        int descriptors = SESSION_DESCRIPTORS + (direct ? LEASE_DESCRIPTORS : 0);
        while (true) {
            SliceOnDevices on = there.get();
            Sessions sessions = on.sessions();
            OptionalInt slot = sessions.takeSlot();
            if (slot.isPresent()) {
                return enter(new Entered(on, slot.getAsInt(), descriptors));
            }
            if (!sessions.isClosed()) {
                throw full();
            }
            if (on == there.get()) {
                throw deleted();
            }
            // It has just moved to other devices.
        }
    }

    private Entered enter(Entered entered) throws Refusal {
        Sessions sessions = entered.on().sessions();
        if (!entered.on().place().now().tally().takeDescriptors(entered.descriptors())) {
            sessions.freeSlot(entered.slot());
            throw Refusal.unavailable(
                    "slice "
                            + name()
                            + " has too many programs for the daemon's limit of open files; end"
                            + " some, or raise the limit (ulimit -Hn, LimitNOFILE)");
        }
        if (sessions.isClosed()) {
            entered.leave();
            throw deleted();
        }
        return entered;
    }

    private Refusal deleted() {
        return Refusal.unavailable("slice " + name() + " has just been deleted; use another one");
    }

    private Refusal full() {
        return Refusal.unavailable(
                "slice "
                        + name()
                        + " has "
                        + Constants.LEDGER_SLOTS
                        + " programs already; end one, or use another slice");
    }

    /** Whether a program can be hosted at once. */
    private static boolean prepare(Entered entered) throws Refusal {
        try {
            return entered.on().place().now().prepare();
        } catch (IOException e) {
            entered.leave();
            throw Refusal.unavailable(String.valueOf(e.getMessage()));
        }
    }

    /** The time of the devices, for a program that has the vendor's driver in it. */
    private static Optional<ProgramLease> lend(Entered entered) throws Refusal {
        Optional<SliceShare> share = entered.on().place().now().share();
        if (share.isEmpty()) {
            return Optional.empty(); // everybody has as much as comes
        }
        try {
            return Optional.of(share.get().lendToProgram());
        } catch (IOException e) {
            entered.leave();
            throw Refusal.unavailable(String.valueOf(e.getMessage()));
        }
    }

    private static String program(Greeting.Hello hello) {
        return hello.name().isBlank() ? "program" : hello.name();
    }

    /**
     * @param ready otherwise the program is welcomed before it is hosted, and waits with its first
     *     call
     */
    private HostPlace.HostedSession begin(
            Connection connection,
            Greeting.Hello hello,
            Entered entered,
            boolean ready,
            Optional<ProgramLease> lease)
            throws IOException {
        SliceOnDevices on = entered.on();
        int slot = entered.slot();
        int id = SESSIONS.incrementAndGet();
        CountDownLatch registered = new CountDownLatch(1);
        AtomicBoolean over = new AtomicBoolean();
        Runnable atEnd =
                () -> {
                    if (over.compareAndSet(false, true)) {
                        lease.ifPresent(ProgramLease::close);
                        ended(id, entered, registered);
                    }
                };
        HostPlace.HostedSession session;
        int forClient = -1;
        try {
            SessionMemory memory =
                    SessionMemory.create(name(), Snapshots.of(on.visible(), slice.get()));
            try {
                forClient = Descriptors.duplicate(memory.descriptor());
                int pid = connection.peer().pid();
                SessionOptions options =
                        new SessionOptions(
                                id,
                                name(),
                                program(hello),
                                pid == 0 ? hello.pid() : pid,
                                slot,
                                slice.get().memory());
                on.ledger().enter(slot, hello.pid());
                if (!ready) {
                    welcome(connection, on, options, forClient, lease);
                }
                HostPlace.HostedSession host =
                        on.place().now().open(options, memory, connection, atEnd);
                session = lease.isPresent() ? new DirectSession(host, lease.get()) : host;
            } catch (IOException | RuntimeException | OutOfMemoryError e) {
                memory.close();
                throw e;
            }
            on.sessions().add(id, session);
            events.add(Kind.SESSION_OPENED, session.options().who(), process(session));
            registered.countDown();
            on.wakeMeter();
            if (ready) {
                try {
                    welcome(connection, on, session.options(), forClient, lease);
                } catch (IOException e) {
                    session.end("it did not accept the greeting: " + e.getMessage());
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
        return session.options().program() + ", process " + session.options().pid();
    }

    /** Comes last where it can: what a program sees of itself is there when it is welcomed. */
    private static void welcome(
            Connection connection,
            SliceOnDevices on,
            SessionOptions options,
            int memory,
            Optional<ProgramLease> lease)
            throws IOException {
        byte[] words = Greeting.welcome(options.id(), options.ledgerSlot());
        int ledger = on.ledger().descriptor();
        if (lease.isEmpty()) {
            connection.send(words, memory, ledger);
        } else {
            int[] lent = lease.get().descriptors();
            connection.send(words, memory, ledger, lent[0], lent[1]);
        }
    }

    /** The session has given back what it had. */
    private void ended(int id, Entered entered, CountDownLatch registered) {
        boolean interrupted = false;
        while (true) {
            try {
                registered.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        entered.leave();
        // Last: whoever sees that it is gone finds its place free.
        entered.on().sessions().end(id).ifPresent(this::tellEnd);
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
                        "%d %s, %.3f s of device time",
                        session.launches(),
                        session.launches() == 1 ? "launch" : "launches",
                        session.deviceNanos() / 1e9));
    }
}
