package facet.device.nvidia;

import facet.device.Arbiter;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * When this process may have work on the device. While it is its turn all its streams give work to
 * the device side by side; asked to make room it lets no more begin, and its turn is over when what
 * was begun has ended. It is charged for what the device has measured. Any thread.
 */
final class Turns {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /**
     * So long work that was begun keeps others from beginning that it may wait for: kernels of two
     * streams that talk to each other.
     */
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final @Nullable Arbiter arbiter;
    private final Arbiter.@Nullable Seat seat;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean taking;
    private boolean held;
    private int underWay;
    private long began;
    private long measured;

    /** When it was asked to make room; 0: it was not. */
    private long asked;

    /**
     * @param arbiter null: it is always this process's turn
     */
    Turns(@Nullable Arbiter arbiter) {
        this.arbiter = arbiter;
        seat = arbiter == null ? null : arbiter.seat(0);
    }

    /**
     * Waits until work may begin, which ends with {@link #leave}.
     *
     * @return false when nobody wants it any more; then it has not begun
     */
    boolean enter(BooleanSupplier unwanted) {
        if (arbiter == null || seat == null) {
            return true;
        }
        lock.lock();
        try {
            while (true) {
                if (unwanted.getAsBoolean()) {
                    return false;
                }
                if (held && !mustWait(System.nanoTime())) {
                    underWay++;
                    return true;
                }
                if (!held && !taking) {
                    taking = true;
                    break;
                }
                boolean _ = changed.await(LOOK_NANOS / 10, TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
        return take(arbiter, seat, unwanted);
    }

    /** With the lock. */
    private boolean mustWait(long now) {
        if (asked == 0 && seat != null && seat.deadline() <= now && seat.givesWay(now)) {
            asked = now;
        }
        return asked != 0 && now - asked < PATIENCE_NANOS;
    }

    /** Whether others may have turns too. */
    boolean areShared() {
        return arbiter != null;
    }

    /** Whether work that could be left for later is to be. */
    boolean isAsked() {
        if (seat == null) {
            return false;
        }
        lock.lock();
        try {
            return held && mustWait(System.nanoTime());
        } finally {
            lock.unlock();
        }
    }

    private boolean take(Arbiter shared, Arbiter.Seat from, BooleanSupplier unwanted) {
        Arbiter.Share share = shared.unnamed();
        shared.submit(share, 1, System.nanoTime());
        shared.tell();
        boolean got = false;
        try {
            while (!got && !unwanted.getAsBoolean()) {
                int seen = from.wakes();
                long now = System.nanoTime();
                got = from.mayRun(now) != null;
                if (!got) {
                    shared.tell();
                    from.sleep(seen, Math.clamp(from.nextLook(now) - now, 0, LOOK_NANOS));
                }
            }
        } finally {
            if (!got) {
                shared.submit(share, -1, System.nanoTime());
                shared.tell();
            }
            lock.lock();
            try {
                taking = false;
                if (got) {
                    held = true;
                    underWay = 1;
                    asked = 0;
                    measured = 0;
                    began = System.nanoTime();
                }
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
        return got;
    }

    /**
     * Work has ended.
     *
     * @param nanos that it took the device
     */
    void leave(long nanos) {
        if (arbiter == null || seat == null) {
            return;
        }
        lock.lock();
        try {
            measured += Math.max(0, nanos);
            if (--underWay > 0) {
                return;
            }
            held = false;
            long now = System.nanoTime();
            // Streams side by side take the device once.
            seat.ended(now, Math.min(measured, now - began));
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        arbiter.tell();
    }
}
