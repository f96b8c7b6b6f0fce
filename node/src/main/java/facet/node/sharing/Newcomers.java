package facet.node.sharing;

import facet.node.slice.CompileCredit;
import facet.node.slice.CompilerThreads;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Slices with new code. It is thirty times slower until the JVM's compilers have come to it, and
 * they step back for kernels: beside busy slices a newcomer would wait for them for seconds. So as
 * long as it has credit they do not step back. What they use meanwhile it pays as if it had run:
 * not at once, or it would have nothing of the device while it is slow, but before it has its whole
 * share again. What it leaves unused of its part pays too; with more owed than a bound the
 * compilers step back until some was paid. A thread that sleeps while nobody is new.
 */
final class Newcomers implements AutoCloseable {
    private static final long LOOK_MILLIS = 20;

    private final CompilerThreads compilers;
    private final NewCode code = new NewCode();
    private final Thread thread;
    private boolean closed;

    private record Part(DeviceSharing sharing, DeviceSharing.Member member)
            implements NewCode.Owner {
        @Override
        public CompileCredit credit() {
            return member.credit();
        }

        @Override
        public long used() {
            return sharing.used(member);
        }

        @Override
        public double part() {
            return sharing.part(member);
        }

        @Override
        public void bill(long nanos) {
            sharing.bill(member, nanos);
        }
    }

    Newcomers(CompilerThreads compilers) {
        this.compilers = compilers;
        thread = Thread.ofPlatform().daemon().name("facet-newcomers").start(this::run);
    }

    /** It has new code, which took so long to make. No monitor of a device is held. */
    synchronized void arrived(DeviceSharing sharing, DeviceSharing.Member member, long nanos) {
        code.made(new Part(sharing, member), nanos, System.nanoTime());
        notifyAll();
    }

    private void run() {
        try {
            while (awaitSomebody()) {
                help();
            }
        } catch (InterruptedException e) {
            // Closed; nobody looks at this thread afterwards.
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            // Newcomers are slow for longer, as where the system allows no precedence at all.
            System.getLogger(Newcomers.class.getName())
                    .log(System.Logger.Level.WARNING, "compilers cannot be looked at", e);
        }
    }

    private synchronized boolean awaitSomebody() throws InterruptedException {
        while (code.isEmpty() && !closed) {
            wait();
        }
        return !closed;
    }

    private void help() throws IOException, InterruptedException {
        long used = compilers.nanos();
        long looked = System.nanoTime();
        try {
            while (true) {
                boolean forward = isSomebodyHelped(looked);
                compilers.forward(forward);
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
                long usedNow = compilers.nanos();
                long now = System.nanoTime();
                if (!look(forward ? usedNow - used : 0, now - looked, now)) {
                    return;
                }
                used = usedNow;
                looked = now;
            }
        } finally {
            compilers.forward(false);
        }
    }

    private synchronized boolean isSomebodyHelped(long now) {
        return code.isSomebodyHelped(now);
    }

    /** Whether somebody is still new, or pays. */
    private synchronized boolean look(long nanos, long elapsed, long now) {
        code.look(nanos, elapsed, now);
        return !code.isEmpty() && !closed;
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        thread.interrupt();
    }
}
