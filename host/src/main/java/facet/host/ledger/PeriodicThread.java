package facet.host.ledger;

import facet.os.ProcessThreads;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Goes round some times a second and looks after what asked for it. One thread for all slices of
 * the process: a thread each would cost more than the looking. It sleeps while nobody asks.
 */
public final class PeriodicThread {
    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final PeriodicThread OF_PROCESS = new PeriodicThread();

    private final Set<Look> looks = ConcurrentHashMap.newKeySet();
    private final Thread thread;

    /** Something to look after. */
    public interface Look {
        /** Looks now, on that thread; says whether to come again. */
        boolean look();
    }

    private PeriodicThread() {
        thread = ProcessThreads.named("facet-rounds").unstarted(this::run);
        thread.start();
    }

    /** Comes by soon, and until it says that it has enough. */
    public static void include(Look look) {
        if (OF_PROCESS.looks.add(look)) {
            LockSupport.unpark(OF_PROCESS.thread);
        }
    }

    private void run() {
        while (true) {
            if (looks.isEmpty()) {
                LockSupport.park(this);
                continue;
            }
            // A copy: the set would show again and again what is put back.
            for (Look each : List.copyOf(looks)) {
                // Who asks while this looks is not forgotten.
                looks.remove(each);
                if (comesAgain(each)) {
                    looks.add(each);
                }
            }
            LockSupport.parkNanos(this, PERIOD_NANOS);
        }
    }

    /** A defect of one is not to keep the others from being looked after. */
    private boolean comesAgain(Look look) {
        try {
            return look.look();
        } catch (RuntimeException e) {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
            return true;
        }
    }
}
