package facet.host.mirror;

import facet.os.ProcessThreads;
import facet.os.ProcessorTimeUnsafe;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Looks at mirrors whose kernels run, some hundred times a second: programs tell kernels through
 * pinned memory to go on, and kernels tell programs how far they are. One thread for the process,
 * which sleeps while no such kernel runs and rests ten times as long as it has looked.
 */
final class Pulse {
    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int REST = 10;
    private static final Pulse OF_PROCESS = new Pulse();

    private final Set<Mirror> running = new LinkedHashSet<>();
    private final Notes first = new Notes();
    private final Notes second = new Notes();

    private Pulse() {
        ProcessThreads.named("facet-mirror").start(this::run);
    }

    static void include(Mirror mirror) {
        OF_PROCESS.add(mirror);
    }

    private synchronized void add(Mirror mirror) {
        if (running.add(mirror) && running.size() == 1) {
            notifyAll();
        }
    }

    private synchronized List<Mirror> next() throws InterruptedException {
        while (running.isEmpty()) {
            wait();
        }
        return new ArrayList<>(running);
    }

    private void run() {
        try {
            while (true) {
                List<Mirror> all = next();
                long begin = System.nanoTime();
                for (Mirror each : all) {
                    look(each);
                }
                long spent = System.nanoTime() - begin;
                LockSupport.parkNanos(this, Math.max(PERIOD_NANOS, REST * spent));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Its program pays for it. A defect of one is not to keep the others from being looked at. */
    private void look(Mirror mirror) {
        long before = ProcessorTimeUnsafe.ofThisThread();
        boolean comesAgain = false;
        try {
            comesAgain = mirror.lookOn(first, second);
        } catch (RuntimeException e) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        } finally {
            mirror.bill(ProcessorTimeUnsafe.ofThisThread() - before);
            if (!comesAgain) {
                remove(mirror);
            }
        }
    }

    private synchronized void remove(Mirror mirror) {
        // One that has begun to run meanwhile asks again.
        if (!mirror.isRunning()) {
            running.remove(mirror);
        }
    }
}
