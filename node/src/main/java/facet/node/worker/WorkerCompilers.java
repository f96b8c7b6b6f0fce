package facet.node.worker;

import facet.log.Log;
import facet.log.Who;
import facet.node.slice.CompileCredit;
import facet.node.slice.CompilerThreads;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * The compilers of a slice's worker do not step back while a program of it is new, as long as the
 * slice has credit. Its lease charges what they use: no bill of its own is needed.
 */
final class WorkerCompilers {
    private static final long LOOK_MILLIS = 50;
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** What compilers use of a core while they have nothing much to do; one part in so many. */
    private static final int LITTLE = 20;

    private final Log log;
    private final CompileCredit credit = new CompileCredit(System.nanoTime());
    private boolean helping;
    private boolean closed;

    WorkerCompilers(Log log) {
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
            compilers.comeForward();
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
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            long usedNow = compilers.nanos();
            long now = System.nanoTime();
            if (usedNow - used > (now - looked) / LITTLE) {
                since = now;
            }
            synchronized (this) {
                credit.spend(usedNow - used, now);
                if (closed || credit.isSpent(now)) {
                    return;
                }
            }
            used = usedNow;
            looked = now;
        }
    }
}
