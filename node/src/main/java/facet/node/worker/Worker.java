package facet.node.worker;

import facet.device.Device;
import facet.device.DeviceFactory;
import facet.device.DeviceProfile;
import facet.doors.control.ControlException;
import facet.doors.control.Request;
import facet.host.lease.LeasedSeats;
import facet.host.lease.SeatPage;
import facet.host.ledger.Ledger;
import facet.host.ledger.LedgerMemory;
import facet.host.ledger.Tally;
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
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The process that hosts the sessions of one slice. Ends when the daemon does. */
final class Worker {
    private static final int FAILED = 1;

    private final WorkerLink link;
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
    private Worker(DeviceFactory kind, WorkerLink link, Request begin, int[] descriptors, Log log)
            throws IOException, ControlException {
        this.link = link;
        this.log = log;
        slice = begin.text("slice");
        memory = begin.number("memory");
        long[] memories = DeviceMemories.parse(begin.text("deviceMemory"));
        LedgerMemory shared = LedgerMemory.attach(descriptors[0], memory, memories);
        ledgers = Ledger.ofAll(shared);
        audit = new PageAudit(shared, sessions::values);
        rooms =
                new WorkerRooms(
                        link, memories.length, RoomWords.eviction(begin.text("eviction")), log);
        int seats = (int) begin.number("seats");
        List<DeviceProfile> profiles = new ArrayList<>();
        for (long each : memories) {
            profiles.add(
                    kind.profile(begin.text("name"), each, seats)
                            .confinedTo((int) begin.number("multiprocessors")));
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
    static void run(String[] arguments, DeviceFactory kind) {
        boolean debug = arguments.length > 2 && arguments[2].equals("--debug");
        Log log =
                new Log(
                                System.err,
                                debug ? Log.Level.DEBUG : Log.Level.INFO,
                                Format.of(arguments[1]))
                        .limited();
        try (WorkerLink link = new WorkerLink(connection(arguments[0]))) {
            WarmSession.run(kind, log);
            String lacks = "all";
            if (isInherited(arguments[0])) {
                Seal.prepare();
                lacks = Seal.close();
            }
            serve(kind, link, lacks, log);
            System.exit(0);
        } catch (IOException | ControlException e) {
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
    private static void serve(DeviceFactory kind, WorkerLink link, String lacks, Log log)
            throws IOException, ControlException {
        System.gc();
        link.send("warm", new int[0], "lacks", lacks);
        Optional<WorkerLink.Received> begin = link.receive();
        if (begin.isEmpty()) {
            return;
        }
        Worker worker =
                new Worker(kind, link, begin.get().request(), begin.get().descriptors(), log);
        link.send("ready", new int[0]);
        while (true) {
            Optional<WorkerLink.Received> received = link.receive();
            if (received.isEmpty()) {
                return;
            }
            worker.perform(received.get());
        }
    }

    private void perform(WorkerLink.Received received) throws IOException, ControlException {
        Request request = received.request();
        switch (request.verb()) {
            case "open" -> open(request, received.descriptors());
            case "close" -> {
                SessionHost host = sessions.get((int) request.number("session"));
                if (host != null) {
                    host.end(request.text("why"));
                }
            }
            case "change" -> {
                memory = request.number("memory");
                Ledger.limit(ledgers, memory);
                link.send("changed", new int[0]);
            }
            case "lend" -> rooms.lend(request);
            case "usage" -> usage();
            default -> throw new ControlException("there is no verb '" + request.verb() + "'");
        }
    }

    private void open(Request request, int[] descriptors) throws IOException, ControlException {
        if (descriptors.length != 2) {
            throw new ControlException("open with " + descriptors.length + " descriptors");
        }
        SessionOptions options =
                new SessionOptions(
                        (int) request.number("session"),
                        slice,
                        request.text("program"),
                        (int) request.number("pid"),
                        (int) request.number("slot"),
                        memory);
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
        host[0].whenStopped(() -> say("stopped", options));
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
        link.send(
                "ended",
                new int[0],
                "session",
                options.id(),
                "used",
                Used.none(devices.size()).text());
    }

    /** A fault happened. */
    private void tell(int session, String fault) {
        try {
            link.send("fault", new int[0], "session", session, "text", fault);
        } catch (IOException e) {
            log.debug(Who.slice(slice), "the daemon is gone: " + e.getMessage());
        }
    }

    private void say(String verb, SessionOptions of) {
        try {
            link.send(verb, new int[0], "session", of.id());
        } catch (IOException e) {
            log.debug(of.who(), "the daemon is gone: " + e.getMessage());
        }
    }

    private void ended(SessionHost host) {
        sessions.remove(host.options().id());
        rest.sessionEnded();
        try {
            link.send(
                    "ended",
                    new int[0],
                    "session",
                    host.options().id(),
                    "used",
                    Used.of(host, devices.size()).text());
        } catch (IOException e) {
            log.debug(host.options().who(), "the daemon is gone: " + e.getMessage());
        }
    }

    private void usage() throws IOException {
        rooms.tell();
        Map<String, String> values = new LinkedHashMap<>();
        int length = 0;
        for (Map.Entry<Integer, SessionHost> each : sessions.entrySet()) {
            String text = Used.of(each.getValue(), devices.size()).text();
            values.put(Integer.toString(each.getKey()), text);
            length += text.length();
            if (length > WorkerLink.LONGEST / 4) {
                link.send(new Request("used", values));
                values.clear();
                length = 0;
            }
        }
        link.send(new Request("usage", values));
    }
}
