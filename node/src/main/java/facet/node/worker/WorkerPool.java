package facet.node.worker;

import facet.log.Log;
import facet.log.Who;
import facet.node.slice.Precedence;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Workers without a slice: some are started before they are needed, so that a session need not wait
 * for a JVM. One that had a slice comes back for those alone who may find its code ({@link
 * KeptWorkers}). The monitor is not held while a process starts.
 */
public final class WorkerPool implements AutoCloseable {
    /** Several JVMs that start at once are not there sooner. */
    private static final int MOST_STARTING =
            Math.max(2, Runtime.getRuntime().availableProcessors());

    /** The session that took the last one comes first; then the next one is started. */
    private static final long REFILL_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    /** After a start that failed the next one in the background comes no sooner. */
    private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** How to start one. */
    public interface Commands {
        WorkerCommand get() throws IOException;
    }

    private final Commands commands;
    private final Path folder;
    private final int most;
    private final IdleWorkers idle;
    private final KeptWorkers kept;
    private final Log log;
    private final ArrayDeque<StartedWorker> warm = new ArrayDeque<>();

    /** Those that get warm while nobody waits for them. */
    private final Set<Process> background = new HashSet<>();

    private @Nullable Precedence precedence;
    private int starting;
    private int waiting;
    private int users;
    private long sockets;
    private long notBefore = System.nanoTime();
    private long failures;
    private String failure = "";
    private boolean open;
    private boolean closed;

    /**
     * @param folder for a socket while a worker starts
     * @param most how many are kept warm while any slice may need one
     * @param idle how long a worker stays that has no sessions
     */
    public WorkerPool(Commands commands, Path folder, int most, Duration idle, Log log) {
        this(commands, folder, most, Keeping.usual(idle), log);
    }

    public WorkerPool(Commands commands, Path folder, int most, Keeping keeping, Log log) {
        this.commands = commands;
        this.folder = folder;
        this.most = most;
        this.idle = new IdleWorkers(keeping.time());
        this.kept = new KeptWorkers(keeping, idle, this::stepsBack, log);
        this.log = log;
    }

    IdleWorkers idle() {
        return idle;
    }

    /** From now on workers are started before they are needed. */
    public synchronized void keepWarm() {
        open = true;
        fill();
    }

    /** One more slice may need a worker. */
    synchronized void enter() {
        users++;
        fill();
    }

    /** A slice needs none any more. */
    void leave() {
        List<StartedWorker> useless = new ArrayList<>();
        synchronized (this) {
            users--;
            if (users == 0) {
                useless.addAll(warm);
                warm.clear();
            }
        }
        useless.forEach(StartedWorker::discard);
    }

    /** Workers whose slices have gone. */
    KeptWorkers kept() {
        return kept;
    }

    /**
     * One that had a slice whose code has the same name, and may have another. It is the caller's.
     *
     * @param slice its name; the same one is likely to have the same program
     */
    Optional<StartedWorker> takeKept(String codeName, String slice) throws IOException {
        Precedence order = precedence();
        Optional<StartedWorker> found = kept.take(codeName, slice);
        if (found.isPresent()) {
            try {
                order.inForeground(found.get().jvm());
            } catch (IOException e) {
                found.get().discard();
                throw e;
            }
        }
        return found;
    }

    /** Nobody waits for it, and it has no device memory. */
    private boolean stepsBack(StartedWorker worker) {
        try {
            worker.limit(0);
            precedence().inBackground(worker.jvm());
            return true;
        } catch (IOException e) {
            log.debug(Who.part("workers"), "a worker is not kept: " + e.getMessage());
            return false;
        }
    }

    /** A warm worker; waits for one where there is none. It is the caller's. */
    StartedWorker take(Duration patience) throws IOException {
        long end = System.nanoTime() + patience.toNanos();
        while (true) {
            StartedWorker taken = next(end);
            if (taken.process().isAlive()) {
                precedence().inForeground(taken.jvm());
                return taken;
            }
            taken.discard();
        }
    }

    private synchronized StartedWorker next(long end) throws IOException {
        long known = failures;
        waiting++;
        try {
            while (true) {
                if (closed) {
                    throw new IOException("the daemon is shutting down");
                }
                StartedWorker one = warm.poll();
                if (one != null) {
                    notBefore = System.nanoTime() + REFILL_NANOS;
                    return one;
                }
                long left = (end - System.nanoTime()) / 1_000_000;
                if (failures != known || left <= 0) {
                    throw new IOException(
                            left <= 0
                                    ? "no worker was ready in time; the machine is too busy"
                                    : failure);
                }
                fill();
                hurry();
                wait(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while a worker started", e);
        } finally {
            waiting--;
            fill();
        }
    }

    /** Starts as many as are missing; the monitor is held. */
    private void fill() {
        int ahead = open && users > 0 ? most : 0;
        while (!closed
                && starting < MOST_STARTING
                && warm.size() + starting < waiting + ahead
                && (starting < waiting || starting == 0)) {
            starting++;
            long delay = starting > waiting ? Math.max(0, notBefore - System.nanoTime()) : 0;
            Path socket = folder.resolve("worker-" + ++sockets);
            Thread.ofPlatform()
                    .name("facet-worker-start")
                    .daemon()
                    .start(() -> start(socket, delay));
        }
    }

    private void start(Path socket, long delay) {
        Optional<StartedWorker> started = Optional.empty();
        String why = "";
        try {
            rest(delay);
            started = Optional.of(StartedWorker.start(commands.get(), socket, this::begun, log));
        } catch (IOException e) {
            why = String.valueOf(e.getMessage());
            log.error(Who.part("workers"), why);
        } finally {
            arrived(started, why);
        }
    }

    /** Until it is time, or somebody waits. */
    private synchronized void rest(long nanos) throws IOException {
        long end = System.nanoTime() + nanos;
        try {
            long left = nanos;
            while (left > 0 && waiting == 0 && !closed) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
                left = end - System.nanoTime();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted before a worker started", e);
        }
        if (closed) {
            throw new IOException("the daemon is shutting down");
        }
    }

    /** What nobody waits for steps back for those who work. */
    private synchronized void begun(Process process) throws IOException {
        if (waiting == 0) {
            precedence().inBackground((int) process.pid());
            background.add(process);
        }
    }

    /** Somebody waits for what is being started; the monitor is held. */
    private void hurry() throws IOException {
        for (Process each : background) {
            precedence().inForeground(StartedWorker.jvm(each));
        }
        background.clear();
    }

    /** Whether compilers of a worker may come forward, and step back again. */
    boolean letsCompilersForward() throws IOException {
        return precedence().isReversible();
    }

    private synchronized Precedence precedence() throws IOException {
        Precedence found = precedence;
        if (found == null) {
            found = Precedence.find();
            precedence = found;
        }
        return found;
    }

    private void arrived(Optional<StartedWorker> started, String why) {
        boolean useless;
        synchronized (this) {
            starting--;
            background.removeIf(each -> !each.isAlive());
            useless = closed || users == 0 && waiting == 0;
            if (started.isEmpty()) {
                failures++;
                failure = why;
                notBefore = System.nanoTime() + REST_NANOS;
            } else if (!useless) {
                warm.add(started.get());
                background.remove(started.get().process());
            }
            notifyAll();
            fill();
        }
        if (useless) {
            started.ifPresent(StartedWorker::discard);
        }
    }

    /** How many wait for a slice. */
    public synchronized int warm() {
        return warm.size();
    }

    /** How many have had a slice, and wait for another. */
    public int keptWorkers() {
        return kept.count();
    }

    @Override
    public void close() {
        List<StartedWorker> left;
        synchronized (this) {
            closed = true;
            left = List.copyOf(warm);
            warm.clear();
            notifyAll();
        }
        left.forEach(StartedWorker::discard);
        kept.close();
        idle.close();
        awaitStarting();
    }

    /** Processes that are being started end with the pool. */
    private synchronized void awaitStarting() {
        try {
            while (starting > 0) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
