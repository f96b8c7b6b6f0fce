package facet.node.worker;

import facet.device.Device;
import facet.node.log.Log;
import facet.node.server.HostPlace;
import facet.node.session.SessionOptions;
import facet.node.slice.LedgerMemory;
import facet.node.slice.Slice;
import facet.node.slice.Tally;
import facet.os.Connection;
import facet.ring.SessionMemory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of a slice in a process of their own, which is started with the first of them. When
 * it dies its sessions end; the next one gets a new process.
 */
public final class WorkerProcess implements HostPlace {
    private volatile Slice slice;
    private final List<Device> devices;
    private final LedgerMemory ledger;
    private final Path folder;
    private final WorkerCommand command;
    private final Tally tally = new Tally();
    private final Log log;
    private @Nullable RunningWorker running;
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
        RunningWorker worker = worker();
        RemoteSession session =
                new RemoteSession(options, devices.size(), connection, worker, atEnd, log);
        session.begin(memory);
        return session;
    }

    private synchronized RunningWorker worker() throws IOException {
        if (closed) {
            throw new IOException("the slice has ended");
        }
        RunningWorker current = running;
        if (current == null || current.isOver()) {
            current = start();
            running = current;
        }
        return current;
    }

    private RunningWorker start() throws IOException {
        StartedWorker started = StartedWorker.start(command, folder.resolve("worker"));
        try {
            begin(started.link());
        } catch (IOException e) {
            started.discard();
            throw e;
        }
        return new RunningWorker(started, slice.name(), tally, log);
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
        if (link.receive().isEmpty()) {
            throw new IOException("the worker of slice " + slice.name() + " ended at once");
        }
    }

    @Override
    public void change(Slice other) throws IOException {
        RunningWorker current;
        synchronized (this) {
            slice = other;
            current = running;
        }
        // The worker comes first: it must know a higher limit before a client does.
        if (current != null && !current.isOver()) {
            current.change(other);
        }
        ledger.limit(other.memory());
    }

    @Override
    public void refresh() {
        RunningWorker current;
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
        RunningWorker current;
        synchronized (this) {
            current = running;
        }
        return current == null ? System.nanoTime() : current.measuredNanos();
    }

    @Override
    public void close() {
        RunningWorker current;
        synchronized (this) {
            closed = true;
            current = running;
        }
        if (current != null) {
            current.stop();
        }
    }
}
