package facet.host.session;

import facet.abi.MalformedCommand;
import facet.device.Device;
import facet.device.SubmittingThread;
import facet.host.ledger.Ledger;
import facet.host.ledger.Tally;
import facet.log.Log;
import facet.os.Connection;
import facet.os.SchedulingUnsafe;
import facet.ring.MalformedRecord;
import facet.ring.RingReader;
import facet.ring.SessionMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Executes the commands of one session on a thread of its own, until the session ends: because its
 * client is gone, because it did what no honest client does, or because it is told to.
 *
 * <p>That thread does short kernels itself, when it has nothing else to do. Should one of them take
 * long after all, another thread reads on in its place.
 */
public final class SessionHost {
    /** Short, so that a session that wakes does not wait for kernels on its core. */
    private static final long TIME_SLICE_NANOS = 300_000;

    /**
     * So many commands are read on before a kernel begins that is held: there may be no end to
     * those of many threads that wait for something else.
     */
    private static final int MOST_WAITS = 8;

    private final SessionOptions options;
    private final SessionMemory memory;
    private final Connection connection;
    private final List<Ledger> ledgers;
    private final Tally tally;
    private final Log log;
    private final Usage usage;
    private final Session session;
    private final SessionCommands commands;
    private final Runnable atEnd;

    /** Whose turn it is to read. */
    private volatile Thread reader;

    /** A thread that has read before still runs a kernel. */
    private volatile boolean away;

    private final PageAudit.Watched watched = new Pages();
    private volatile boolean waiting;
    private volatile @Nullable String reason;
    private Runnable stopped = () -> {};
    private boolean over;

    /**
     * @param memory closed at the end
     * @param connection to the client; shut down and closed at the end
     * @param atEnd runs last, on the session's thread
     */
    public SessionHost(
            SessionOptions options,
            SessionMemory memory,
            Connection connection,
            List<Ledger> ledgers,
            Tally tally,
            List<Device> devices,
            SessionResidency residency,
            Log log,
            Runnable atEnd) {
        this.options = options;
        this.memory = memory;
        this.connection = connection;
        this.ledgers = ledgers;
        this.tally = tally;
        this.log = log;
        SessionChannel channel = new SessionChannel(memory, connection, this::expel);
        usage = new Usage(devices.size());
        session = new Session(options, devices, residency, ledgers, tally, log, channel, usage);
        commands = new SessionCommands(session, List.of(new CudaVocabulary(session)));
        this.atEnd = atEnd;
        reader = newReader();
    }

    private Thread newReader() {
        return Thread.ofPlatform()
                .name("facet-session-" + options.id())
                .daemon()
                .unstarted(() -> {
                    try {
                        run();
                    } finally {
                        if (isReader()) {
                            atEnd.run();
                        }
                    }
                });
    }

    private boolean isReader() {
        return Thread.currentThread().equals(reader);
    }

    /**
     * What to do when nothing of it runs any more, and its memory is still to be given back. Before
     * the start.
     */
    public void whenStopped(Runnable action) {
        stopped = action;
    }

    public void start() {
        ledgers.forEach(each ->
                each.join(options.ledgerSlot(), () -> waiting, this::isLeaving, this::expel));
        log.debug(options.who(), "begins");
        try {
            reader.start();
        } catch (OutOfMemoryError e) {
            // The system has no thread for it.
            ledgers.forEach(each -> each.leave(options.ledgerSlot()));
            throw e;
        }
    }

    /** Also when nobody has noticed yet that its program is gone: a client says nothing more. */
    private boolean isLeaving() {
        try {
            return reason != null || connection.awaitReadable(Duration.ZERO);
        } catch (IOException e) {
            return true; // closed already
        }
    }

    public SessionOptions options() {
        return options;
    }

    public Usage usage() {
        return usage;
    }

    /** Bytes of device memory that it has on all devices. */
    public long memoryUsed() {
        return ledgers.stream().mapToLong(each -> each.used(options.ledgerSlot())).sum();
    }

    /** Of one of the devices. */
    public long memoryUsed(int device) {
        return ledgers.get(device).used(options.ledgerSlot());
    }

    /** Bytes of it that are on the device. */
    public long memoryResident() {
        return session.contexts().stream().mapToLong(each -> each.holding().resident()).sum();
    }

    /** Ends the session; the first reason is logged. Any thread. */
    public void end(String why) {
        synchronized (this) {
            if (reason == null) {
                reason = why;
            }
            if (!over) {
                memory.stop();
            }
        }
        connection.shutdown();
        // The session's thread may be inside a command, which ends with its context.
        session.contexts().forEach(SessionContext::stop);
    }

    /** A line for the program's error output. Any thread. */
    public void say(String line) {
        synchronized (this) {
            if (!over) {
                session.channel().printError(line);
            }
        }
    }

    /** As the audit of its slice sees it. */
    PageAudit.Watched watched() {
        return watched;
    }

    /** The contexts of the session, added up. */
    private final class Pages implements PageAudit.Watched {
        private long sum(ToLongFunction<SessionContext> figure) {
            return session.contextsInMemory().stream().mapToLong(figure).sum();
        }

        @Override
        public long resident() {
            return sum(each -> each.memory().resident());
        }

        @Override
        public long counted() {
            return sum(each -> each.allocations().counted() + each.takenByHost());
        }

        @Override
        public long host() {
            return sum(each -> each.allocations().host());
        }

        @Override
        public long pages() {
            return sum(each -> each.allocations().pages() + each.takenByHost());
        }

        @Override
        public long returning() {
            return sum(each -> each.returning().resident());
        }

        @Override
        public boolean isDrained() {
            return waiting;
        }

        @Override
        public void expel(String why) {
            SessionHost.this.expel(why);
        }
    }

    /** Holds back its kernels, or lets them go on. One thread at a time. */
    void pause(boolean wanted) {
        session.contexts().forEach(each -> each.pause(wanted));
    }

    /** Ends a session that did what no honest client does. Any thread. */
    public void expel(String why) {
        tally.fault(
                options.id(),
                options.program() + " (" + options.pid() + "): broke the protocol: " + why);
        log.warning(options.who(), "ended, it broke the protocol: " + why);
        end("it broke the protocol");
    }

    /** Waits for the end. */
    public void join() throws InterruptedException {
        Thread last;
        do {
            synchronized (this) {
                last = reader;
            }
            last.join();
        } while (!last.equals(reader));
    }

    private void run() {
        SchedulingUnsafe.askForTurns(TIME_SLICE_NANOS);
        try (SubmittingThread own = SubmittingThread.enter()) {
            readAll(own);
        } catch (MalformedRecord | MalformedCommand | ProtocolViolation e) {
            expel(String.valueOf(e.getMessage()));
        } catch (RuntimeException | Error e) {
            session.defect("ended by an internal error", e);
            end("a defect");
        } finally {
            if (isReader()) {
                close();
            }
        }
    }

    private void readAll(SubmittingThread own) throws MalformedRecord, MalformedCommand {
        RingReader ring = memory.commands();
        int waits = 0;
        while (isReader() && !ring.isClosed()) {
            MemorySegment record = ring.poll();
            if (record != null) {
                waits = own.isHolding() ? waits + 1 : 0;
                if (waits > MOST_WAITS || waits > 0 && !SessionCommands.onlyWaits(record)) {
                    own.handOver();
                }
                commands.execute(record);
                if (session.inFlight().isEnough()) {
                    own.handOver();
                    session.markAll();
                    session.inFlight()
                            .await(() -> session.hostFunctions().areUnderWay() || ring.isClosed());
                }
                continue;
            }
            session.markAll();
            if (own.isHolding()) {
                workOn(own);
                continue;
            }
            waiting = true;
            ring.await(Long.MAX_VALUE);
            waiting = false;
        }
    }

    /** Nothing is there to read: time to do what was read. One thread at a time may be away. */
    private void workOn(SubmittingThread own) {
        if (away) {
            own.handOver();
            return;
        }
        own.doHere(this::takeOver);
        if (!isReader()) {
            away = false;
        }
    }

    /** The work takes long: another thread reads on. */
    private void takeOver() {
        Thread next = newReader();
        away = true;
        // Whoever joins is not to see one that has not started: that would be none to wait for.
        synchronized (this) {
            reader = next;
            try {
                next.start();
                return;
            } catch (OutOfMemoryError e) {
                // The system has no thread for it: what comes waits for the work.
                reader = Thread.currentThread();
            }
        }
        away = false;
        log.warning(options.who(), "there is no thread to read on beside a long kernel");
    }

    private void close() {
        try {
            memory.stop();
            connection.close();
            session.stopAll();
            stopped.run();
            session.endAll();
            log.debug(
                    options.who(), reason == null ? "its program has ended" : "is over: " + reason);
        } catch (RuntimeException e) {
            session.defect("cannot be closed", e);
        } finally {
            ledgers.forEach(each -> each.leave(options.ledgerSlot()));
            session.channel().close();
            synchronized (this) {
                over = true;
                memory.close();
            }
        }
    }
}
