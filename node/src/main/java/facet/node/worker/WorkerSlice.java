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
import facet.abi.worker.Release;
import facet.abi.worker.SessionUse;
import facet.abi.worker.Stalled;
import facet.abi.worker.Stopped;
import facet.abi.worker.ToDaemon;
import facet.abi.worker.ToWorker;
import facet.abi.worker.Usage;
import facet.device.Device;
import facet.device.DeviceFactory;
import facet.host.ledger.Ledger;
import facet.host.ledger.LedgerMemory;
import facet.host.ledger.Tally;
import facet.host.ledger.UnsupportedCounts;
import facet.host.session.PageAudit;
import facet.host.session.SessionHost;
import facet.host.session.SessionOptions;
import facet.log.Log;
import facet.log.Who;
import facet.os.Connection;
import facet.os.Descriptors;
import facet.os.SocketKind;
import facet.ring.MalformedRecord;
import facet.ring.SessionMemory;
import facet.sched.Eviction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a worker has for one slice, from Begin to Release: its devices, ledgers and sessions. All of
 * it goes with the slice; what was compiled belongs to the process.
 */
final class WorkerSlice {
    /** Whose use is told in one message, which is far from too long then. */
    private static final int SESSIONS_AT_ONCE = 16;

    private static final int NAMES_AT_ONCE = 64;

    private final WorkerLink<ToDaemon, ToWorker> link;
    private final Log log;
    private final String slice;
    private final LedgerMemory shared;
    private final List<Ledger> ledgers;
    private final WorkerDevices devices;
    private final Tally tally = new Tally(this::tell);
    private final Map<Integer, SessionHost> sessions = new ConcurrentHashMap<>();
    private final PageAudit audit;
    private final WorkerRooms rooms;
    private final Runnable sessionEnded;
    private long memory;

    /**
     * @param descriptors the ledger; where compute is shared also the pages of seats and the bell
     * @param sessionEnded runs after each
     */
    WorkerSlice(
            DeviceFactory kind,
            WorkerLink<ToDaemon, ToWorker> link,
            Begin begin,
            int[] descriptors,
            Runnable sessionEnded,
            Log log)
            throws IOException {
        this.link = link;
        this.sessionEnded = sessionEnded;
        this.log = log.limited();
        slice = begin.slice();
        memory = begin.memory();
        shared = LedgerMemory.attach(descriptors[0], memory, begin.deviceMemory());
        ledgers = Ledger.ofAll(shared);
        audit = new PageAudit(shared, sessions::values);
        rooms =
                new WorkerRooms(
                        link,
                        ledgers.size(),
                        new Eviction(begin.leastStay(), begin.stayPerMove(), begin.idleAfter()),
                        this.log);
        devices = WorkerDevices.open(kind, begin, descriptors);
    }

    boolean isIdle() {
        return sessions.isEmpty();
    }

    /** Lets go of what was compiled. */
    void dropCode() {
        devices.all().forEach(Device::trim);
    }

    /**
     * Does what the daemon says.
     *
     * @return whether the slice has gone and the worker may have another; else the daemon has
     */
    boolean serve() throws IOException {
        link.send(new Ready());
        while (true) {
            Optional<WorkerLink.Received<ToWorker>> received = link.receive();
            if (received.isEmpty()) {
                return false;
            }
            if (received.get().message() instanceof Release) {
                end();
                return true;
            }
            perform(received.get());
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
            case Release release -> throw new IOException("it was released already");
        }
    }

    // ---- sessions

    private void open(Open open, int[] descriptors) throws IOException {
        SessionOptions options =
                new SessionOptions(
                        open.session(), slice, open.program(), open.pid(), open.slot(), memory);
        SessionMemory itsMemory;
        try {
            itsMemory = SessionMemory.attach(descriptors[0]);
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
                        itsMemory,
                        client,
                        ledgers,
                        tally,
                        devices.all(),
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
            itsMemory.close();
            cannotBegin(options, String.valueOf(e.getMessage()));
            return;
        }
        audit.wake();
    }

    private void cannotBegin(SessionOptions options, String why) throws IOException {
        log.warning(options.who(), "cannot begin: " + why);
        link.send(new Ended(Used.nothing(options.id(), ledgers.size())));
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

    /** Programs that wait for the driver are told, and so is the daemon. Any thread. */
    void stalled(String text) {
        tell(new Stalled(text));
        if (!text.isEmpty()) {
            String last = ledgers.size() > 1 ? "s 0 to " + (ledgers.size() - 1) : " 0";
            String line = "facet: the driver of device" + last + " " + text;
            sessions.values().forEach(each -> each.say(line));
        }
    }

    private void ended(SessionHost host) {
        sessions.remove(host.options().id());
        sessionEnded.run();
        lacking();
        tell(new Ended(Used.of(host, ledgers.size())));
    }

    /** What programs asked for and did not get, since this was told. */
    @SuppressWarnings("EnumOrdinal") // daemon and worker are of one build
    private void lacking() {
        List<Refused> some = new ArrayList<>();
        for (UnsupportedCounts.Entry each : tally.unsupported().takeUntold()) {
            some.add(new Refused(each.kind().ordinal(), each.name(), each.count()));
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
            some.add(Used.of(each, ledgers.size()));
            if (some.size() == SESSIONS_AT_ONCE) {
                link.send(new Usage(false, some));
                some.clear();
            }
        }
        link.send(new Usage(true, some));
    }

    // ---- its end

    private void end() throws IOException {
        if (!sessions.isEmpty()) {
            throw new IOException("the slice has gone, but " + sessions.size() + " sessions not");
        }
        audit.close();
        rooms.close();
        devices.close();
    }

    /** Once no thread of it is left: gives back the memory that it had in common with others. */
    void unmap() {
        devices.unmap();
        shared.close();
    }
}
