package facet.node.worker;

import facet.log.Log;
import facet.log.Who;
import facet.node.slice.CompileCredit;
import facet.node.slice.CompilerThreads;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;

/**
 * The compilers of a slice's worker do not step back while a program of it is new, as long as the
 * slice has credit and does not owe much. Its lease charges what they use: no bill of its own is
 * needed, and what is owed is what they had beyond the slice's part of the device.
 */
final class WorkerCompilers {
    private static final long LOOK_MILLIS = 50;
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** What compilers use of a core while they have nothing much to do; one part in so many. */
    private static final int LITTLE = 20;

    private final DoubleSupplier part;
    private final Log log;
    private final CompileCredit credit = new CompileCredit(System.nanoTime());
    private boolean helping;
    private boolean closed;

    /**
     * @param part of the machine's cores that the slice has a right to
     */
    WorkerCompilers(DoubleSupplier part, Log log) {
        this.part = part;
        this.log = log;
    }

    /** A program has come to the worker. */
    void help(int process) {
        synchronized (this) {
            if (helping || closed || credit.isSpent(System.nanoTime())) {
                return;
            }
            helping = true;
        }
        Thread.ofVirtual().name("facet-worker-compilers").start(() -> run(process));
    }

    /** The slice has ended; its worker may be another's by and by. */
    synchronized void close() {
        closed = true;
    }

    private void run(int process) {
        CompilerThreads compilers = new CompilerThreads(process);
        try {
            try {
                watch(compilers);
            } finally {
                compilers.stepBack();
            }
        } catch (IOException e) {
            log.debug(Who.part("workers"), "compilers cannot be looked at: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            synchronized (this) {
                helping = false;
            }
        }
    }

    /** Until there is no credit or nothing to compile; where the process ends, both are so. */
    private void watch(CompilerThreads compilers) throws IOException, InterruptedException {
        long used = compilers.nanos();
        long looked = System.nanoTime();
        long since = looked;
        while (looked - since <= QUIET_NANOS) {
            boolean forward = isWanted();
            compilers.forward(forward);
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            long usedNow = compilers.nanos();
            long now = System.nanoTime();
            if (usedNow - used > (now - looked) / LITTLE) {
                since = now;
            }
            if (!goesOn(forward ? usedNow - used : 0, now - looked, now)) {
                return;
            }
            used = usedNow;
            looked = now;
        }
    }

    private synchronized boolean isWanted() {
        return !credit.owesMuch();
    }

    /**
     * @param nanos what compilers had while they did not step back
     */
    private synchronized boolean goesOn(long nanos, long elapsed, long now) {
        credit.spend(nanos, now);
        credit.owe(nanos);
        credit.forgive((long) (part.getAsDouble() * elapsed));
        return !closed && !credit.isSpent(now);
    }
}
