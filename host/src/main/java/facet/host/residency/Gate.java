package facet.host.residency;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * One at a time is inside. Whoever finds somebody there leaves what it wanted: a change, which is
 * made, or a wish to come in, which is told, by whoever leaves. Only who says so waits.
 */
final class Gate {
    private final ReentrantLock lock = new ReentrantLock();
    private final BooleanSupplier worthwhile;

    /** What came while somebody else was inside, in its order. */
    private final Queue<Runnable> changes = new ConcurrentLinkedQueue<>();

    /** Who wanted to come in meanwhile. */
    private final Queue<Later> waiters = new ConcurrentLinkedQueue<>();

    /**
     * Whether there may be any of both. Set after they are added, cleared before they are taken.
     */
    private volatile boolean crowded;

    /**
     * @param worthwhile whether those who wanted to come in are to try again
     */
    Gate(BooleanSupplier worthwhile) {
        this.worthwhile = worthwhile;
    }

    boolean tryEnter() {
        return lock.tryLock();
    }

    /**
     * The same.
     *
     * @param later is told when it is worth to try again, or that it is not
     */
    @SuppressWarnings("LockNotBeforeTry") // it is held until leave
    boolean tryEnter(Later later) {
        if (lock.tryLock()) {
            return true;
        }
        waiters.add(later);
        crowded = true;
        // Whoever was inside may have left before it could see that.
        if (!lock.tryLock()) {
            return false;
        }
        if (!waiters.remove(later)) {
            leave();
            return false; // it was told meanwhile
        }
        return true;
    }

    /** Waits. */
    @SuppressWarnings("LockNotBeforeTry") // it is held until leave
    void enter() {
        lock.lock();
    }

    /** False when somebody is inside for longer. */
    boolean enterSoon() {
        try {
            return lock.tryLock(Residency.GATE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    void leave() {
        lock.unlock();
        if (crowded) {
            passOn();
        }
    }

    /** Does what came while somebody was inside. */
    private void passOn() {
        while (crowded && !lock.isHeldByCurrentThread() && lock.tryLock()) {
            List<Later> told = new ArrayList<>();
            try {
                crowded = false;
                settle();
                for (Later each = waiters.poll(); each != null; each = waiters.poll()) {
                    told.add(each);
                }
            } finally {
                lock.unlock();
            }
            told.forEach(each -> each.again(worthwhile.getAsBoolean()));
        }
    }

    /** Makes the changes that are known; by who is inside. */
    void settle() {
        for (Runnable each = changes.poll(); each != null; each = changes.poll()) {
            each.run();
        }
    }

    /** Makes a change: now, or when whoever is inside leaves. */
    void change(Runnable change) {
        if (lock.tryLock()) {
            try {
                settle();
                change.run();
            } finally {
                leave();
            }
        } else {
            changes.add(change);
            crowded = true;
            passOn();
        }
    }
}
