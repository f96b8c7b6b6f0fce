package facet.node.worker;

import facet.log.Log;
import facet.log.Who;
import facet.slices.Slice;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The worker that a slice has, or gets with its next session. The monitor is held for no longer
 * than it takes to look: whoever needs a worker that is not there yet waits without it.
 */
final class SliceWorker {
    /** Longer than a program waits to be greeted: it decides. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** One that had a slice before is there at once, or is not worth the wait. */
    private static final Duration PATIENCE_WITH_KEPT = Duration.ofSeconds(5);

    private final Handover handover;
    private final WorkerPool pool;
    private final Optional<String> codeName;
    private final CrashLoop crashes = new CrashLoop();
    private final Log log;
    private Slice slice;
    private @Nullable RunningWorker running;
    private boolean coming;
    private boolean closed;

    /**
     * @param codeName whose workers it may get, and who may get its; empty: nobody
     */
    SliceWorker(
            Slice slice, Optional<String> codeName, Handover handover, WorkerPool pool, Log log) {
        this.slice = slice;
        this.codeName = codeName;
        this.handover = handover;
        this.pool = pool;
        this.log = log;
    }

    /** Empty when there is none at the moment. */
    synchronized Optional<RunningWorker> current() {
        return Optional.ofNullable(running).filter(each -> !each.isOver());
    }

    /** Waits for one where there is none. */
    RunningWorker get() throws IOException {
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

    private RunningWorker begin(Slice wanted) throws IOException {
        Optional<StartedWorker> kept =
                codeName.isEmpty()
                        ? Optional.empty()
                        : pool.takeKept(codeName.get(), wanted.name());
        if (kept.isPresent()) {
            try {
                return handover.begin(kept.get(), wanted, PATIENCE_WITH_KEPT, this::died);
            } catch (IOException e) {
                // Whatever it has become in the hands of its last slice: a new one serves as well.
                log.debug(Who.slice(wanted.name()), "a kept worker is no use: " + e.getMessage());
            }
        }
        StartedWorker started = pool.take(PATIENCE);
        try {
            return handover.begin(started, wanted, PATIENCE, this::died);
        } catch (IOException e) {
            died();
            throw e;
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

    private synchronized void died() {
        crashes.died(System.nanoTime());
    }

    /** The slice is another one from now on. The worker that is to be told, if there is one. */
    synchronized Optional<RunningWorker> change(Slice other) {
        slice = other;
        return current();
    }

    /** The slice has ended. False when that was said before. */
    boolean close() {
        RunningWorker last;
        String name;
        synchronized (this) {
            if (closed) {
                return false;
            }
            closed = true;
            last = running;
            name = slice.name();
            notifyAll();
        }
        if (last != null
                && !(codeName.isPresent()
                        && last.release(pool.kept().after(codeName.get(), name)))) {
            last.stop();
        }
        return true;
    }
}
