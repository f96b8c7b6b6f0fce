package facet.node.worker;

import facet.device.Device;
import facet.node.control.ControlException;
import facet.node.control.Request;
import facet.node.log.Log;
import facet.node.log.Who;
import facet.node.server.HostPlace;
import facet.node.session.SessionOptions;
import facet.node.slice.LedgerMemory;
import facet.node.slice.Slice;
import facet.node.slice.Tally;
import facet.os.Connection;
import facet.os.Descriptors;
import facet.os.Listener;
import facet.os.SocketKind;
import facet.ring.SessionMemory;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of a slice in a process of their own, which is started with the first of them. When
 * it dies its sessions end; the next one gets a new process.
 */
public final class WorkerProcess implements HostPlace {
    private static final Duration START = Duration.ofSeconds(30);
    private static final long USAGE_MILLIS = 1000;

    /** A session that was told to end and does not takes its worker along. */
    private static final Duration END = Duration.ofSeconds(15);

    private volatile Slice slice;
    private final List<Device> devices;
    private final LedgerMemory ledger;
    private final Path folder;
    private final WorkerCommand command;
    private final Tally tally = new Tally();
    private final Log log;
    private @Nullable Running running;
    private boolean closed;

    /**
     * @param folder of the slice, for a socket while the worker starts
     */
    public WorkerProcess(
            Slice slice,
            List<Device> devices,
            LedgerMemory ledger,
            Path folder,
            WorkerCommand command,
            Log log) {
        this.slice = slice;
        this.devices = devices;
        this.ledger = ledger;
        this.folder = folder;
        this.command = command;
        this.log = log.limited();
    }

    @Override
    public Tally tally() {
        return tally;
    }

    @Override
    public HostedSession open(
            SessionOptions options, SessionMemory memory, Connection connection, Runnable atEnd)
            throws IOException {
        Running worker = worker();
        Remote session = new Remote(options, connection, worker, atEnd);
        worker.add(session);
        int client = connection.duplicate();
        try {
            worker.link.send(
                    "open",
                    new int[] {memory.descriptor(), client},
                    "session",
                    options.id(),
                    "program",
                    options.program(),
                    "pid",
                    options.pid(),
                    "slot",
                    options.ledgerSlot());
        } catch (IOException e) {
            worker.forget(session);
            throw e;
        } finally {
            Descriptors.close(client);
        }
        memory.close();
        return session;
    }

    private synchronized Running worker() throws IOException {
        if (closed) {
            throw new IOException("the slice has ended");
        }
        Running current = running;
        if (current == null || current.isOver()) {
            current = start();
            running = current;
        }
        return current;
    }

    private Running start() throws IOException {
        Path socket = folder.resolve("worker");
        Process process = null;
        try (Listener listener =
                Listener.open(
                        socket,
                        SocketKind.PACKETS,
                        1,
                        PosixFilePermissions.fromString("rw-------"))) {
            process = command.start(socket);
            long end = System.nanoTime() + START.toNanos();
            while (!listener.awaitConnection(Duration.ofMillis(200))) {
                if (!process.isAlive() || System.nanoTime() - end > 0) {
                    throw new IOException(
                            "the worker of slice "
                                    + slice.name()
                                    + " does not start; its log says why");
                }
            }
            Connection connection =
                    listener.accept()
                            .orElseThrow(() -> new IOException("the slice is being closed"));
            if (connection.peer().pid() != process.pid()) {
                connection.close();
                throw new IOException("another process posed as the worker of " + slice.name());
            }
            connection.limitSends(START);
            WorkerLink link = new WorkerLink(connection);
            command.limit(process, slice.memory() * devices.size());
            begin(link);
            return new Running(process, link);
        } catch (IOException e) {
            if (process != null) {
                process.destroyForcibly();
            }
            throw e;
        }
    }

    private void begin(WorkerLink link) throws IOException {
        link.send(
                "begin",
                new int[] {ledger.descriptor()},
                "slice",
                slice.name(),
                "memory",
                slice.memory(),
                "compute",
                slice.terms().most(),
                "devices",
                devices.size(),
                "name",
                devices.getFirst().profile().name(),
                "deviceMemory",
                devices.getFirst().profile().memory());
        Optional<WorkerLink.Received> ready = link.receive();
        if (ready.isEmpty()) {
            link.close();
            throw new IOException("the worker of slice " + slice.name() + " ended at once");
        }
        command.confined(ready.get().request().values().getOrDefault("lacks", ""), log);
    }

    @Override
    public void change(Slice other) throws IOException {
        Running current;
        synchronized (this) {
            slice = other;
            current = running;
        }
        // The worker comes first: it must know a higher limit before a client does.
        if (current != null && !current.isOver()) {
            command.limit(current.process, other.memory() * devices.size());
            current.change(other);
        }
        ledger.limit(other.memory());
    }

    @Override
    public void refresh() {
        Running current;
        synchronized (this) {
            current = running;
        }
        if (current != null) {
            current.refresh();
        }
    }

    /** Whoever tells the programs how busy they are asks the worker some times a second. */
    @Override
    public long measuredNanos() {
        Running current;
        synchronized (this) {
            current = running;
        }
        return current == null ? System.nanoTime() : current.measuredNanos();
    }

    @Override
    public void close() {
        Running current;
        synchronized (this) {
            closed = true;
            current = running;
        }
        if (current != null) {
            current.stop();
        }
    }

    /** A worker that was started, and the sessions in it. */
    private final class Running {
        private final Process process;
        private final WorkerLink link;
        private final Map<Integer, Remote> sessions = new HashMap<>();
        private final Thread thread;
        private long answers;
        private long answered = System.nanoTime();
        private long changes;
        private boolean over;
        private boolean stopping;

        Running(Process process, WorkerLink link) {
            this.process = process;
            this.link = link;
            log.debug(Who.slice(slice.name()), "has worker " + process.pid());
            thread =
                    Thread.ofPlatform()
                            .name("facet-worker-" + slice.name())
                            .daemon()
                            .start(this::receiveAll);
        }

        synchronized void add(Remote session) throws IOException {
            if (over) {
                throw new IOException("the worker has just ended; try again");
            }
            sessions.put(session.options.id(), session);
        }

        synchronized void forget(Remote session) {
            sessions.remove(session.options.id());
        }

        synchronized boolean isOver() {
            return over;
        }

        private void receiveAll() {
            try {
                while (true) {
                    Optional<WorkerLink.Received> received = link.receive();
                    if (received.isEmpty()) {
                        break;
                    }
                    perform(received.get().request());
                }
            } catch (IOException | ControlException e) {
                log.error(Who.slice(slice.name()), "its worker: " + e.getMessage());
            } finally {
                end();
            }
        }

        private void perform(Request request) throws ControlException {
            switch (request.verb()) {
                case "ended" -> {
                    Remote session;
                    synchronized (this) {
                        session = sessions.remove((int) request.number("session"));
                    }
                    if (session != null) {
                        session.used = Used.parse(request.text("used")).withoutMemory();
                        session.atEnd.run();
                    }
                }
                case "used" -> used(request);
                case "usage" -> {
                    used(request);
                    synchronized (this) {
                        answers++;
                        answered = System.nanoTime();
                        notifyAll();
                    }
                }
                case "fault" -> tally.fault((int) request.number("session"), request.text("text"));
                case "changed" -> {
                    synchronized (this) {
                        changes++;
                        notifyAll();
                    }
                }
                default -> throw new ControlException("it said '" + request.verb() + "'");
            }
        }

        private synchronized void used(Request request) {
            for (Map.Entry<String, String> each : request.values().entrySet()) {
                Remote session = sessions.get(Integer.parseInt(each.getKey()));
                if (session != null) {
                    session.used = Used.parse(each.getValue());
                }
            }
        }

        /** The worker is gone, and its sessions with it. */
        private void end() {
            process.destroyForcibly();
            link.close();
            List<Remote> left;
            boolean expected;
            synchronized (this) {
                over = true;
                expected = stopping;
                left = List.copyOf(sessions.values());
                sessions.clear();
                notifyAll();
            }
            if (!left.isEmpty() && !expected) {
                log.error(
                        Who.slice(slice.name()),
                        "its worker " + process.pid() + " died with " + left.size() + " sessions");
            }
            for (Remote each : left) {
                each.connection.shutdown();
                each.atEnd.run();
            }
        }

        /** Asks what the sessions use, unless the worker is too busy to tell. */
        private void refresh() {
            try {
                synchronized (this) {
                    if (over) {
                        return;
                    }
                    long before = answers;
                    link.send("usage", new int[0]);
                    long end = System.nanoTime() + USAGE_MILLIS * 1_000_000;
                    while (answers == before && !over && System.nanoTime() - end < 0) {
                        wait(USAGE_MILLIS);
                    }
                }
            } catch (IOException e) {
                log.debug(Who.slice(slice.name()), "its worker: " + e.getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        /** Without sessions there is nothing that could be old. */
        private synchronized long measuredNanos() {
            return sessions.isEmpty() ? System.nanoTime() : answered;
        }

        /** Tells the worker, and waits until it has understood. */
        private void change(Slice other) throws IOException {
            try {
                synchronized (this) {
                    long before = changes;
                    link.send(
                            "change",
                            new int[0],
                            "memory",
                            other.memory(),
                            "compute",
                            other.terms().most());
                    long end = System.nanoTime() + START.toNanos();
                    while (changes == before && !over) {
                        long left = (end - System.nanoTime()) / 1_000_000;
                        if (left <= 0) {
                            throw new IOException(
                                    "the worker of slice " + other.name() + " does not answer");
                        }
                        wait(left);
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while a slice was changed", e);
            }
        }

        private void stop() {
            synchronized (this) {
                stopping = true;
            }
            link.close();
            try {
                if (!process.waitFor(END.toSeconds(), TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** A session in the worker. */
    private final class Remote implements HostedSession {
        private final SessionOptions options;
        private final Connection connection;
        private final Running worker;
        private final Runnable atEnd;
        private volatile Used used = Used.none(devices.size());

        Remote(SessionOptions options, Connection connection, Running worker, Runnable atEnd) {
            this.options = options;
            this.connection = connection;
            this.worker = worker;
            this.atEnd = atEnd;
        }

        @Override
        public SessionOptions options() {
            return options;
        }

        @Override
        public long launches() {
            return used.launches();
        }

        @Override
        public long deviceNanos() {
            return Used.sum(used.nanos());
        }

        @Override
        public long deviceNanos(int device) {
            return used.nanos()[device];
        }

        @Override
        public long memoryUsed() {
            return Used.sum(used.bytes());
        }

        @Override
        public long memoryUsed(int device) {
            return used.bytes()[device];
        }

        @Override
        public void end(String why) {
            try {
                worker.link.send("close", new int[0], "session", options.id(), "why", why);
                Thread.ofVirtual().name("facet-worker-end").start(this::insist);
            } catch (IOException e) {
                // The worker is gone; whoever reads from it does the rest.
                log.debug(options.who(), "its worker: " + e.getMessage());
            }
        }

        private void insist() {
            try {
                Thread.sleep(END);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
            boolean there;
            synchronized (worker) {
                there = worker.sessions.containsKey(options.id());
            }
            if (there) {
                log.error(options.who(), "does not end; its worker is killed");
                worker.process.destroyForcibly();
            }
        }
    }
}
