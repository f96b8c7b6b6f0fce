package facet.node.worker;

import facet.abi.worker.Begin;
import facet.abi.worker.Ready;
import facet.device.Device;
import facet.device.DeviceProfile;
import facet.host.ledger.LedgerMemory;
import facet.host.ledger.Tally;
import facet.host.residency.RemoteRoom;
import facet.host.residency.Residency;
import facet.host.session.SessionOptions;
import facet.log.Log;
import facet.log.Who;
import facet.node.server.HostPlace;
import facet.node.sharing.Lease;
import facet.node.sharing.SliceShare;
import facet.os.Connection;
import facet.ring.SessionMemory;
import facet.sched.Eviction;
import facet.slices.Slice;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of a slice in a process of their own, which is taken from the pool with the first of
 * them. When it dies its sessions end; the next one gets a new process. The monitor is held for no
 * longer than it takes to look: whoever needs a worker that is not there yet waits without it.
 */
public final class WorkerProcess implements HostPlace {
    /** Longer than a program waits to be greeted: it decides. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Programs take a daemon that says nothing for longer than some seconds for another thing. */
    private static final Duration WORD = Duration.ofSeconds(4);

    private final List<Device> devices;
    private final List<Residency> residencies;
    private final @Nullable SliceShare share;
    private final LedgerMemory ledger;
    private final WorkerPool pool;
    private final Tally tally = new Tally();
    private final Log log;
    private final CrashLoop crashes = new CrashLoop();
    private final WorkerCompilers compilers;
    private volatile int priority;
    private Slice slice;
    private @Nullable RunningWorker running;

    /** Of the worker that runs, or is about to; only who starts one changes it. */
    private @Nullable Lease lease;

    private boolean coming;
    private boolean closed;

    /**
     * @param residencies what is on each of the devices
     * @param share what the slice has of the devices' time, closed at the end; null: no sharing
     */
    public WorkerProcess(
            Slice slice,
            List<Device> devices,
            List<Residency> residencies,
            @Nullable SliceShare share,
            LedgerMemory ledger,
            WorkerPool pool,
            Log log) {
        this.slice = slice;
        this.priority = slice.terms().priority();
        this.devices = devices;
        this.residencies = residencies;
        this.share = share;
        this.ledger = ledger;
        this.pool = pool;
        this.log = log.limited();
        this.compilers = new WorkerCompilers(this.log);
        pool.enter();
    }

    @Override
    public Tally tally() {
        return tally;
    }

    @Override
    public boolean prepare() throws IOException {
        if (current().isPresent()) {
            return true;
        }
        CompletableFuture<RunningWorker> started = new CompletableFuture<>();
        Thread.ofVirtual()
                .name("facet-worker-first")
                .start(() -> {
                    try {
                        started.complete(worker());
                    } catch (IOException | RuntimeException e) {
                        started.completeExceptionally(e);
                    }
                });
        try {
            started.get(WORD.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IOException(
                    String.valueOf(Objects.requireNonNull(e.getCause()).getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while a worker started", e);
        }
    }

    @Override
    public HostedSession open(
            SessionOptions options, SessionMemory memory, Connection connection, Runnable atEnd)
            throws IOException {
        while (true) {
            RunningWorker worker = worker();
            RemoteSession session =
                    new RemoteSession(options, devices.size(), connection, worker, atEnd, log);
            // One that has just been idle for too long takes no more.
            if (worker.add(session)) {
                session.begin(memory);
                if (pool.letsCompilersForward()) {
                    compilers.help(worker.jvm());
                }
                return session;
            }
        }
    }

    // ---- the worker

    private synchronized Optional<RunningWorker> current() {
        return Optional.ofNullable(running).filter(each -> !each.isOver());
    }

    private RunningWorker worker() throws IOException {
        Slice wanted;
        synchronized (this) {
            try {
                while (coming && !closed) {
                    wait();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while a worker started", e);
            }
            Optional<RunningWorker> present = current();
            if (present.isPresent()) {
                return present.get();
            }
            check();
            coming = true;
            wanted = slice;
        }
        RunningWorker started = null;
        try {
            started = begin(wanted);
            return started;
        } finally {
            arrived(started, wanted);
        }
    }

    /** Refuses a worker; the monitor is held. */
    private void check() throws IOException {
        if (closed) {
            throw new IOException("the slice has ended");
        }
        Optional<Duration> pause = crashes.pause(System.nanoTime());
        if (pause.isPresent()) {
            throw new IOException(
                    "the worker of slice "
                            + slice.name()
                            + " died "
                            + CrashLoop.MOST
                            + " times within "
                            + CrashLoop.WINDOW.toSeconds()
                            + " s; see the daemon's log. It gets another one in "
                            + (pause.get().toSeconds() + 1)
                            + " s");
        }
    }

    private void arrived(@Nullable RunningWorker started, Slice wanted) throws IOException {
        Slice now;
        boolean late;
        synchronized (this) {
            coming = false;
            running = started;
            now = slice;
            late = closed;
            notifyAll();
        }
        if (started != null && late) {
            started.stop();
        } else if (started != null && !now.equals(wanted)) {
            started.change(now);
        }
    }

    private RunningWorker begin(Slice wanted) throws IOException {
        StartedWorker started = pool.take(PATIENCE);
        List<RemoteRoom> rooms = new ArrayList<>();
        boolean begun = false;
        try {
            begin(started, wanted);
            for (int i = 0; i < devices.size(); i++) {
                Borrower borrower = new Borrower(wanted.name(), i, () -> priority, started, log);
                RemoteRoom room = residencies.get(i).lend(borrower, 0);
                rooms.add(room);
                room.promised(Math.min(wanted.memory(), devices.get(i).profile().memory()));
            }
            begun = true;
            return new RunningWorker(
                    started,
                    wanted.name(),
                    memories(),
                    rooms,
                    lease,
                    tally,
                    this::died,
                    pool.idle(),
                    log);
        } finally {
            if (!begun) {
                started.discard();
                rooms.forEach(RemoteRoom::close);
                endLease();
                died();
            }
        }
    }

    private void begin(StartedWorker started, Slice wanted) throws IOException {
        started.limit(DeviceMemories.sum(wanted.memory(), memories()));
        DeviceProfile profile = devices.getFirst().profile();
        Eviction eviction = residencies.getFirst().eviction();
        started.link()
                .send(
                        new Begin(
                                wanted.name(),
                                wanted.memory(),
                                eviction.leastStay(),
                                eviction.stayPerMove(),
                                eviction.idleAfter(),
                                profile.name(),
                                profile.capability(),
                                devices.stream()
                                        .mapToLong(each -> each.profile().memory())
                                        .toArray(),
                                profile.multiprocessors(),
                                wanted.terms().multiprocessors()),
                        lend(started));
        started.link().expect(Ready.class, PATIENCE);
    }

    private List<Long> memories() {
        return devices.stream().map(each -> each.profile().memory()).toList();
    }

    /** What the worker needs to share memory and compute. */
    private int[] lend(StartedWorker started) throws IOException {
        if (share == null) {
            return new int[] {ledger.descriptor()};
        }
        endLease();
        Lease lent =
                share.lendTo(
                        started.jvm(),
                        () -> {
                            log.error(
                                    Who.slice(name()),
                                    "its worker keeps the device and is killed: a kernel of it"
                                            + " cannot be stopped");
                            started.process().destroyForcibly();
                        });
        lease = lent;
        int[] seats = lent.descriptors();
        return new int[] {ledger.descriptor(), seats[0], seats[1]};
    }

    /** The worker before has ended, or has no session any more. */
    private void endLease() {
        if (lease != null) {
            lease.close();
            lease = null;
        }
    }

    private synchronized String name() {
        return slice.name();
    }

    private synchronized void died() {
        crashes.died(System.nanoTime());
    }

    // ---- for others

    @Override
    public void change(Slice other) throws IOException {
        Optional<RunningWorker> current;
        synchronized (this) {
            slice = other;
            priority = other.terms().priority();
            current = current();
        }
        // The worker comes first: it must know a higher limit before a client does.
        if (current.isPresent()) {
            current.get().change(other);
        }
        ledger.limit(other.memory());
        if (share != null) {
            share.change(other.terms());
        }
    }

    @Override
    public OptionalLong deviceNanos(int device) {
        return share == null ? OptionalLong.empty() : OptionalLong.of(share.deviceNanos(device));
    }

    @Override
    public OptionalLong waitNanos() {
        return share == null ? OptionalLong.empty() : OptionalLong.of(share.waitNanos());
    }

    @Override
    public OptionalLong memoryResident() {
        return OptionalLong.of(current().map(RunningWorker::memoryResident).orElse(0L));
    }

    @Override
    public Asked ask() {
        return current().map(RunningWorker::ask).orElse(Asked.ANSWERED);
    }

    /** Whoever tells the programs how busy they are asks the worker some times a second. */
    @Override
    public long measuredNanos() {
        return current().map(RunningWorker::measuredNanos).orElseGet(System::nanoTime);
    }

    @Override
    public Optional<OwnProcess> process() {
        return current().map(RunningWorker::process);
    }

    @Override
    public void close() {
        RunningWorker current;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            current = running;
            notifyAll();
        }
        if (current != null) {
            current.stop();
        }
        pool.leave();
        if (share != null) {
            endLease();
            share.close();
        }
    }
}
