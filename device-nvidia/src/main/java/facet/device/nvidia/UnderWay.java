package facet.device.nvidia;

import facet.device.DeviceException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What a stream has given to the driver: batches, of which the thread that gives fills one, and
 * another one waits for those before it and does what is due behind them.
 */
final class UnderWay {
    /** So that one follows another without a gap; more would only keep others waiting. */
    private static final int MOST_BATCHES = 2;

    private final NvidiaContext context;
    private final long stream;

    /** Of the stream, with its condition: somebody has got further. */
    private final ReentrantLock lock;

    private final Condition changed;
    private final Deque<Batch> all = new ArrayDeque<>();
    private boolean finishing;
    private int batches;

    /** Of the giver. */
    private @Nullable Batch open;

    UnderWay(NvidiaContext context, long stream, ReentrantLock lock, Condition changed) {
        this.context = context;
        this.stream = stream;
        this.lock = lock;
        this.changed = changed;
    }

    // ---- by the giver

    /** Where the next work goes; null when the context has ended meanwhile. */
    @Nullable Batch batch() {
        Batch present = open;
        if (present != null && (context.gate().isClosed() || context.device().turns().isAsked())) {
            close();
            present = null;
        }
        if (present != null) {
            return present;
        }
        awaitRoom();
        if (!context.gate().enter(context::isLost)) {
            return null;
        }
        if (!context.device().turns().enter(context::isLost)) {
            context.gate().leave();
            return null;
        }
        boolean begun = false;
        try {
            Batch made = Batch.begin(context.marks(), stream);
            open = made;
            begun = true;
            return made;
        } finally {
            if (!begun) {
                context.device().turns().leave(0);
                context.gate().leave();
            }
        }
    }

    void closeIfFull(Batch batch) {
        if (batch.isFull()) {
            close();
        }
    }

    /** What was given so far is one batch. */
    void close() {
        Batch batch = open;
        if (batch == null) {
            return;
        }
        open = null;
        try {
            batch.close(context.marks(), stream);
        } catch (DeviceException e) {
            context.failed(e);
        }
        add(batch);
    }

    /** To be done when all before has ended. */
    void add(Runnable action) {
        close();
        add(Batch.of(action));
    }

    private void add(Batch batch) {
        lock.lock();
        try {
            all.add(batch);
            batches += batch.action == null ? 1 : 0;
        } finally {
            lock.unlock();
        }
    }

    private void awaitRoom() {
        lock.lock();
        try {
            beginFinishing();
            while (batches >= MOST_BATCHES) {
                changed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits until all has ended. */
    void settle() {
        close();
        boolean finishes;
        lock.lock();
        try {
            finishes = takesOver();
            while (finishing && !finishes) {
                changed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
        if (finishes) {
            finish();
        }
    }

    // ---- who waits; with the lock

    boolean isOver() {
        return all.isEmpty() && !finishing;
    }

    /** Somebody else waits. */
    void beginFinishing() {
        if (takesOver()) {
            context.device().threads().execute(this::finish);
        }
    }

    /** Whether this thread is to {@link #finish}. */
    boolean takesOver() {
        if (finishing || all.isEmpty()) {
            return false;
        }
        finishing = true;
        return true;
    }

    // ---- what has ended

    void finish() {
        while (true) {
            Batch batch;
            lock.lock();
            try {
                batch = all.peek();
                if (batch == null) {
                    finishing = false;
                    changed.signalAll();
                    return;
                }
            } finally {
                lock.unlock();
            }
            if (batch.action == null) {
                end(batch);
            } else {
                act(batch.action);
            }
            lock.lock();
            try {
                all.remove();
                batches -= batch.action == null ? 1 : 0;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    private void end(Batch batch) {
        long nanos = 0;
        try {
            context.use();
            int result = batch.await();
            if (result == 0) {
                nanos = batch.measure();
            } else {
                DeviceException _ = context.failed("cuEventSynchronize", result);
            }
        } catch (DeviceException e) {
            context.failed(e);
        } finally {
            context.spent(nanos);
            context.device().turns().leave(nanos);
            context.gate().leave();
        }
    }

    private static void act(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
    }
}
