package facet.node.worker;

import facet.abi.worker.AskUsage;
import facet.abi.worker.Begin;
import facet.abi.worker.Change;
import facet.abi.worker.Changed;
import facet.abi.worker.Close;
import facet.abi.worker.Ended;
import facet.abi.worker.Fault;
import facet.abi.worker.Lacking;
import facet.abi.worker.Lend;
import facet.abi.worker.Open;
import facet.abi.worker.Ready;
import facet.abi.worker.Refused;
import facet.abi.worker.SessionUse;
import facet.abi.worker.Stopped;
import facet.abi.worker.ToDaemon;
import facet.abi.worker.ToWorker;
import facet.abi.worker.Usage;
import facet.abi.worker.Warm;
import facet.abi.worker.WorkerProtocol;
import facet.device.Device;
import facet.device.DeviceFactory;
import facet.device.DeviceProfile;
import facet.host.lease.LeasedSeats;
import facet.host.lease.SeatPage;
import facet.host.ledger.Ledger;
import facet.host.ledger.LedgerMemory;
import facet.host.ledger.Tally;
import facet.host.ledger.UnsupportedCounts;
import facet.host.session.PageAudit;
import facet.host.session.SessionHost;
import facet.host.session.SessionOptions;
import facet.log.Format;
import facet.log.Log;
import facet.log.Who;
import facet.node.confine.Seal;
import facet.os.Bell;
import facet.os.Connection;
import facet.os.Descriptors;
import facet.os.SharedMemoryUnsafe;
import facet.os.SocketKind;
import facet.ring.MalformedRecord;
import facet.ring.SessionMemory;
import facet.sched.Eviction;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The process that hosts the sessions of one slice. Ends when the daemon does. */
public final class Worker {
    private static final int FAILED = 1;

    /** Whose use is told in one message, which is far from too long then. */
    private static final int SESSIONS_AT_ONCE = 16;

    private static final int NAMES_AT_ONCE = 64;

    private final WorkerLink<ToDaemon, ToWorker> link;
    private final Log log;
    private final List<Device> devices = new ArrayList<>();
    private final List<Ledger> ledgers;
    private final Tally tally = new Tally(this::tell);
    private final String slice;
    private long memory;
    private final Map<Integer, SessionHost> sessions = new ConcurrentHashMap<>();
    private final PageAudit audit;
    private final WorkerRooms rooms;
    private final Rest rest = new Rest(this::isIdle, () -> devices().forEach(Device::trim));

    /**
     * @param descriptors the ledger; where compute is shared also the pages of seats and the bell
     */
    private Worker(
            DeviceFactory kind,
            WorkerLink<ToDaemon, ToWorker> link,
            Begin begin,
            int[] descriptors,
            Log log)
            throws IOException {
        this.link = link;
        this.log = log;
        slice = begin.slice();
        memory = begin.memory();
        long[] memories = begin.deviceMemory();
        LedgerMemory shared = LedgerMemory.attach(descriptors[0], memory, memories);
        ledgers = Ledger.ofAll(shared);
        audit = new PageAudit(shared, sessions::values);
        rooms =
                new WorkerRooms(
                        link,
                        memories.length,
                        new Eviction(begin.leastStay(), begin.stayPerMove(), begin.idleAfter()),
                        log);
        int seats = begin.seats();
        List<DeviceProfile> profiles = new ArrayList<>();
        for (long each : memories) {
            profiles.add(
                    kind.profile(begin.capability(), begin.deviceName(), each, seats)
                            .confinedTo(begin.multiprocessors()));
        }
        if (descriptors.length == 1) {
            profiles.forEach(each -> devices.add(kind.create(each, seats)));
            return;
        }
        // Both stay until this process ends.
        MemorySegment pages = SharedMemoryUnsafe.attach(descriptors[1]).segment();
        Bell bell = Bell.attach(descriptors[2]);
        for (int i = 0; i < profiles.size(); i++) {
            SeatPage page = SeatPage.of(pages, i, seats);
            devices.add(kind.create(profiles.get(i), seats, new LeasedSeats(page, bell)));
        }
    }

    private boolean isIdle() {
        return sessions.isEmpty();
    }

    private List<Device> devices() {
        return devices;
    }

    /**
     * @param arguments path of the daemon's socket, or the number of a descriptor that is connected
     *     with it; format of log lines; {@code --debug}
     * @param kind of its devices
     */
    public static void run(String[] arguments, DeviceFactory kind) {
        boolean debug = arguments.length > 2 && arguments[2].equals("--debug");
        Log log =
                new Log(
                                System.err,
                                debug ? Log.Level.DEBUG : Log.Level.INFO,
                                Format.of(arguments[1]))
                        .limited();
        try (WorkerLink<ToDaemon, ToWorker> link = WorkerLink.ofWorker(connection(arguments[0]))) {
            WarmSession.run(kind, log);
            String lacks = "all";
            if (isInherited(arguments[0])) {
                Seal.prepare();
                lacks = Seal.close();
            }
            serve(kind, link, lacks, log);
            System.exit(0);
        } catch (IOException e) {
            log.error("worker " + ProcessHandle.current().pid(), String.valueOf(e.getMessage()));
            System.exit(FAILED);
        }
    }

    private static Connection connection(String word) throws IOException {
        return isInherited(word)
                ? Connection.of(Integer.parseInt(word), SocketKind.PACKETS)
                : Connection.connect(Path.of(word), SocketKind.PACKETS);
    }

    private static boolean isInherited(String word) {
        return Character.isDigit(word.charAt(0));
    }

    /**
     * @param lacks what it was not given of its confinement
     */
    private static void serve(
            DeviceFactory kind, WorkerLink<ToDaemon, ToWorker> link, String lacks, Log log)
            throws IOException {
        System.gc();
        link.send(new Warm(WorkerProtocol.DIGEST, lacks));
        Optional<WorkerLink.Received<ToWorker>> first = link.receive();
        if (first.isEmpty()) {
            return;
        }
        if (!(first.get().message() instanceof Begin begin)) {
            throw new IOException("the daemon began with " + first.get().message());
        }
        Worker worker = new Worker(kind, link, begin, first.get().descriptors(), log);
        link.send(new Ready());
        while (true) {
            Optional<WorkerLink.Received<ToWorker>> received = link.receive();
            if (received.isEmpty()) {
                return;
            }
            worker.perform(received.get());
        }
    }

    private void perform(WorkerLink.Received<ToWorker> received) throws IOException {
        switch (received.message()) {
            case Open open -> open(open, received.descriptors());
            case Close close -> {
                SessionHost host = sessions.get(close.session());
                if (host != null) {
                    host.end(close.why());
                }
            }
            case Change change -> {
                memory = change.memory();
                Ledger.limit(ledgers, memory);
                link.send(new Changed());
            }
            case Lend lend -> rooms.lend(lend);
            case AskUsage ask -> usage();
            case Begin begin -> throw new IOException("the daemon began a second time");
        }
    }

    private void open(Open open, int[] descriptors) throws IOException {
        SessionOptions options =
                new SessionOptions(
                        open.session(), slice, open.program(), open.pid(), open.slot(), memory);
        SessionMemory shared;
        try {
            shared = SessionMemory.attach(descriptors[0]);
        } catch (MalformedRecord | IOException e) {
            // A client may have broken its memory by now; that is its own affair.
            Descriptors.close(descriptors[1]);
            cannotBegin(options, String.valueOf(e.getMessage()));
            return;
        }
        Connection client = Connection.of(descriptors[1], SocketKind.PACKETS);
        SessionHost[] host = new SessionHost[1];
        host[0] =
                new SessionHost(
                        options,
                        shared,
                        client,
                        ledgers,
                        tally,
                        List.copyOf(devices),
                        rooms.residency(),
                        log,
                        () -> ended(host[0]));
        sessions.put(options.id(), host[0]);
        host[0].whenStopped(() -> tell(new Stopped(options.id())));
        try {
            host[0].start();
        } catch (OutOfMemoryError e) {
            // It has all the threads that it may have; those that are there go on.
            sessions.remove(options.id());
            client.close();
            shared.close();
            cannotBegin(options, String.valueOf(e.getMessage()));
            return;
        }
        audit.wake();
    }

    private void cannotBegin(SessionOptions options, String why) throws IOException {
        log.warning(options.who(), "cannot begin: " + why);
        link.send(new Ended(Used.nothing(options.id(), devices.size())));
    }

    private void tell(int session, String fault) {
        tell(new Fault(session, fault));
    }

    private void tell(ToDaemon message) {
        try {
            link.send(message);
        } catch (IOException e) {
            log.debug(Who.slice(slice), "the daemon is gone: " + e.getMessage());
        }
    }

    private void ended(SessionHost host) {
        sessions.remove(host.options().id());
        rest.sessionEnded();
        lacking();
        tell(new Ended(Used.of(host, devices.size())));
    }

    /** What programs asked for and did not get, since this was told. */
    private void lacking() {
        List<Refused> some = new ArrayList<>();
        for (UnsupportedCounts.Entry each : tally.unsupported().takeUntold()) {
            boolean call = each.kind() == UnsupportedCounts.Kind.CALL;
            some.add(new Refused(call, each.name(), each.count()));
            if (some.size() == NAMES_AT_ONCE) {
                tell(new Lacking(some));
                some.clear();
            }
        }
        if (!some.isEmpty()) {
            tell(new Lacking(some));
        }
    }

    private void usage() throws IOException {
        rooms.tell();
        lacking();
        List<SessionUse> some = new ArrayList<>();
        for (SessionHost each : sessions.values()) {
            some.add(Used.of(each, devices.size()));
            if (some.size() == SESSIONS_AT_ONCE) {
                link.send(new Usage(false, some));
                some.clear();
            }
        }
        link.send(new Usage(true, some));
    }
}
