package facet.node.worker;

import facet.abi.worker.AskUsage;
import facet.abi.worker.Begin;
import facet.abi.worker.Change;
import facet.abi.worker.Close;
import facet.abi.worker.Lend;
import facet.abi.worker.Open;
import facet.abi.worker.Release;
import facet.abi.worker.Released;
import facet.abi.worker.ToDaemon;
import facet.abi.worker.ToWorker;
import facet.abi.worker.Warm;
import facet.abi.worker.WorkerProtocol;
import facet.device.DeviceFactory;
import facet.log.Format;
import facet.log.Log;
import facet.node.confine.Seal;
import facet.os.Connection;
import facet.os.SocketKind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The process that hosts the sessions of a slice, and then perhaps of another one: one at a time,
 * and nothing of the one before is left but what was compiled. Ends when the daemon does.
 */
public final class Worker {
    private static final int FAILED = 1;

    /** Until all threads of a slice have ended. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final DeviceFactory kind;
    private final WorkerLink<ToDaemon, ToWorker> link;
    private final Log log;
    private final AtomicReference<@Nullable WorkerSlice> slice = new AtomicReference<>();
    private final Rest rest = new Rest(this::isIdle, this::dropCode);

    private Worker(DeviceFactory kind, WorkerLink<ToDaemon, ToWorker> link, Log log) {
        this.kind = kind;
        this.link = link;
        this.log = log;
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
                        Format.of(arguments[1]));
        try (WorkerLink<ToDaemon, ToWorker> link = WorkerLink.ofWorker(connection(arguments[0]))) {
            String lacks = "all";
            if (kind.isSoftware()) {
                WarmSession.run(kind, log);
            } else {
                // A driver opens files and talks to its device for as long as it is used.
                lacks = isInherited(arguments[0]) ? "filter" : lacks;
            }
            if (kind.isSoftware() && isInherited(arguments[0])) {
                Seal.prepare();
                lacks = Seal.close();
            }
            System.gc();
            link.send(new Warm(WorkerProtocol.DIGEST, lacks));
            Worker worker = new Worker(kind, link, log);
            if (!kind.isSoftware()) {
                new DriverWatch(kind::stall, worker::stalled, worker::giveUp).start();
            }
            worker.serveAll();
            System.exit(0);
        } catch (IOException e) {
            log.error("worker " + ProcessHandle.current().pid(), String.valueOf(e.getMessage()));
            System.exit(FAILED);
        }
    }

    /** The driver does not answer, or does again (an empty text). */
    private void stalled(String text) {
        log.warning("driver", text.isEmpty() ? "answers again" : text);
        WorkerSlice its = slice.get();
        if (its != null) {
            its.stalled(text);
        }
    }

    /**
     * Nothing of this process can be brought to an end in order: threads of it are in the driver.
     */
    private void giveUp(String text) {
        stalled(text);
        Runtime.getRuntime().halt(FAILED);
    }

    private static Connection connection(String word) throws IOException {
        return isInherited(word)
                ? Connection.of(Integer.parseInt(word), SocketKind.PACKETS)
                : Connection.connect(Path.of(word), SocketKind.PACKETS);
    }

    private static boolean isInherited(String word) {
        return Character.isDigit(word.charAt(0));
    }

    /** One slice after the other, until the daemon has ended or has enough of this worker. */
    private void serveAll() throws IOException {
        while (true) {
            Optional<WorkerLink.Received<ToWorker>> first = link.receive();
            if (first.isEmpty()) {
                return;
            }
            switch (first.get().message()) {
                case Begin begin -> {
                    if (!serve(begin, first.get().descriptors())) {
                        return;
                    }
                    link.send(new Released());
                }
                case Close late ->
                        log.debug("worker", "session " + late.session() + " had ended before");
                case Open _, Change _, Lend _, AskUsage _, Release _ ->
                        throw new IOException("the daemon began with " + first.get().message());
            }
        }
    }

    /** All threads that a slice needs are begun by threads of its group. */
    private boolean serve(Begin begin, int[] descriptors) throws IOException {
        ThreadGroup group = new ThreadGroup("slice " + begin.slice());
        FutureTask<Boolean> task =
                new FutureTask<>(() -> {
                    WorkerSlice its =
                            new WorkerSlice(
                                    kind, link, begin, descriptors, rest::sessionEnded, log);
                    slice.set(its);
                    return its.serve();
                });
        new Thread(group, task, "facet-worker").start();
        try {
            if (!task.get()) {
                return false;
            }
            awaitNone(group);
        } catch (ExecutionException e) {
            throw new IOException(
                    String.valueOf(Objects.requireNonNull(e.getCause()).getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        WorkerSlice gone = slice.getAndSet(null);
        if (gone != null) {
            gone.unmap();
        }
        return true;
    }

    /** Nothing of a slice runs when the next one comes. */
    private static void awaitNone(ThreadGroup group) throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (group.activeCount() > 0) {
            if (System.nanoTime() - end > 0) {
                Thread[] left = new Thread[1];
                throw new IOException(
                        group.enumerate(left) == 0
                                ? "threads of a slice that has gone do not end"
                                : "thread " + left[0].getName() + " stays, though its slice went");
            }
            Thread.sleep(1);
        }
    }

    private boolean isIdle() {
        WorkerSlice its = slice.get();
        return its == null || its.isIdle();
    }

    /** One without a slice is kept for what was compiled, and the daemon says how long. */
    private void dropCode() {
        WorkerSlice its = slice.get();
        if (its != null) {
            its.dropCode();
        }
    }
}
