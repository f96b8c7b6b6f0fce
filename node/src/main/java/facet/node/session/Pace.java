package facet.node.session;

import java.util.Collection;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Keeps the sessions of a slice to their percentage of the device's time. Device time is earned as
 * time passes and spent as kernels run; who has spent too much is paused until it is earned. Its
 * thread sleeps while there is no session, and does not run for a slice that has the whole device.
 */
public final class Pace implements AutoCloseable {
    private static final int WHOLE = 100;
    private static final long TICK = 2_000_000;

    /** What may be saved up, so that a slice that was idle does not start with a long turn. */
    private static final long MOST_SAVED = 10_000_000;

    private final int cores;
    private final Supplier<Collection<SessionHost>> sessions;
    private final Thread thread;
    private volatile int percent;
    private volatile Budget budget;
    private boolean started;
    private volatile boolean closed;

    /**
     * @param cores that the devices of the slice run on: each gives a second of device time a
     *     second
     */
    public Pace(int percent, int cores, Supplier<Collection<SessionHost>> sessions) {
        this.cores = cores;
        this.sessions = sessions;
        this.thread = Thread.ofPlatform().name("facet-pace").daemon().unstarted(this::run);
        this.budget = budget(percent);
        change(percent);
    }

    private Budget budget(int of) {
        return new Budget(of / 100.0 * cores, MOST_SAVED);
    }

    /** Another share from now on. */
    public synchronized void change(int other) {
        if (other != percent) {
            percent = other;
            budget = budget(other);
        }
        if (other < WHOLE && !started && !closed) {
            started = true;
            thread.start();
        }
        wake();
    }

    /** A session has begun. */
    public void wake() {
        LockSupport.unpark(thread);
    }

    private void run() {
        while (!closed) {
            Collection<SessionHost> all = sessions.get();
            if (percent >= WHOLE) {
                all.forEach(each -> each.pause(false));
            }
            if (all.isEmpty() || percent >= WHOLE) {
                LockSupport.park(this);
                continue;
            }
            long spent = all.stream().mapToLong(each -> each.usage().deviceNanos()).sum();
            boolean mayRun = budget.mayRun(System.nanoTime(), spent);
            all.forEach(each -> each.pause(!mayRun));
            LockSupport.parkNanos(this, TICK);
        }
        sessions.get().forEach(each -> each.pause(false));
    }

    @Override
    public synchronized void close() {
        closed = true;
        wake();
    }

    /** Earned and spent device time; knows no clock. */
    static final class Budget {
        private final double rate;
        private final long mostSaved;
        private boolean begun;
        private long last;
        private long lastSpent;
        private double balance;

        /**
         * @param rate nanoseconds earned in a nanosecond
         */
        Budget(double rate, long mostSaved) {
            this.rate = rate;
            this.mostSaved = mostSaved;
        }

        /**
         * @param spent in all since the beginning; less than before when a session has ended
         */
        boolean mayRun(long now, long spent) {
            if (begun) {
                balance +=
                        rate * (double) (now - last) - Math.max(0.0, (double) (spent - lastSpent));
                balance = Math.min(balance, (double) mostSaved);
            }
            begun = true;
            last = now;
            lastSpent = spent;
            return balance >= 0;
        }
    }
}
