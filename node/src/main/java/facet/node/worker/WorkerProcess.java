package facet.node.worker;

import facet.device.Device;
import facet.host.ledger.LedgerMemory;
import facet.host.ledger.Tally;
import facet.host.residency.Residency;
import facet.host.session.SessionOptions;
import facet.log.Log;
import facet.node.server.HostPlace;
import facet.node.sharing.SliceShare;
import facet.os.Connection;
import facet.ring.SessionMemory;
import facet.slices.Slice;
import java.io.IOException;
import java.time.Duration;
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
 * The sessions of a slice in a process of their own, which it gets with the first of them. When it
 * dies its sessions end; the next one gets a new process.
 */
public final class WorkerProcess implements HostPlace {
    /** Programs take a daemon that says nothing for longer than some seconds for another thing. */
    private static final Duration WORD = Duration.ofSeconds(4);

    private final int devices;
    private final @Nullable SliceShare share;
    private final LedgerMemory ledger;
    private final WorkerPool pool;
    private final Tally tally = new Tally();
    private final Log log;
    private final WorkerCompilers compilers;
    private final Handover handover;
    private final SliceWorker worker;
    private volatile int priority;

    /**
     * @param residencies what is on each of the devices
     * @param share what the slice has of the devices' time, closed at the end; null: no sharing
     * @param codeName under which its worker is kept when it has gone, with what was compiled, for
     *     slices with the same one; empty: the worker goes with it
     */
    public WorkerProcess(
            Slice slice,
            List<Device> devices,
            List<Residency> residencies,
            @Nullable SliceShare share,
            LedgerMemory ledger,
            WorkerPool pool,
            Optional<String> codeName,
            Log log) {
        this.devices = devices.size();
        this.share = share;
        this.ledger = ledger;
        this.pool = pool;
        this.log = log.limited();
        priority = slice.terms().priority();
        compilers =
                new WorkerCompilers(
                        share == null ? Runtime.getRuntime()::availableProcessors : share::seats,
                        this.log);
        handover =
                new Handover(
                        devices,
                        residencies,
                        share,
                        ledger,
                        tally,
                        () -> priority,
                        pool.idle(),
                        this.log);
        worker = new SliceWorker(slice, codeName, handover, pool, this.log);
        pool.enter();
    }

    @Override
    public Tally tally() {
        return tally;
    }

    @Override
    public String stalled() {
        return worker.current().map(RunningWorker::stalled).orElse("");
    }

    @Override
    public boolean prepare() throws IOException {
        replaceSpent();
        if (worker.current().isPresent()) {
            return true;
        }
        CompletableFuture<RunningWorker> started = new CompletableFuture<>();
        Thread.ofVirtual()
                .name("facet-worker-first")
                .start(() -> {
                    try {
                        started.complete(worker.get());
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
            replaceSpent();
            RunningWorker host = worker.get();
            RemoteSession session =
                    new RemoteSession(options, devices, connection, host, atEnd, log);
            // One that has just been idle for too long takes no more.
            if (host.add(session)) {
                session.begin(memory);
                if (pool.letsCompilersForward()) {
                    compilers.help(host.jvm());
                }
                return session;
            }
        }
    }

    /** What else is in it has had the same fault. */
    private void replaceSpent() {
        worker.current().filter(RunningWorker::isSpent).ifPresent(RunningWorker::stop);
    }

    @Override
    public void change(Slice other) throws IOException {
        priority = other.terms().priority();
        Optional<RunningWorker> current = worker.change(other);
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
    public Optional<SliceShare> share() {
        return Optional.ofNullable(share);
    }

    @Override
    public OptionalLong waitNanos() {
        return share == null ? OptionalLong.empty() : OptionalLong.of(share.waitNanos());
    }

    @Override
    public OptionalLong memoryResident() {
        return OptionalLong.of(worker.current().map(RunningWorker::memoryResident).orElse(0L));
    }

    @Override
    public Asked ask() {
        return worker.current().map(RunningWorker::ask).orElse(Asked.ANSWERED);
    }

    /** Whoever tells the programs how busy they are asks the worker some times a second. */
    @Override
    public long measuredNanos() {
        return worker.current().map(RunningWorker::measuredNanos).orElseGet(System::nanoTime);
    }

    @Override
    public Optional<OwnProcess> process() {
        return worker.current().map(RunningWorker::process);
    }

    @Override
    public void close() {
        compilers.close();
        if (!worker.close()) {
            return;
        }
        pool.leave();
        handover.close();
        if (share != null) {
            share.close();
        }
    }
}
