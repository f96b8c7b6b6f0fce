package facet.node.sharing;

import facet.node.slice.CompileCredit;
import facet.node.slice.CompilerThreads;
import java.io.IOException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Slices with new code. It is thirty times slower until the JVM's compilers have come to it, and
 * they step back for kernels: beside busy slices a newcomer would wait for them for seconds. So as
 * long as it has credit they do not step back. What they use meanwhile it pays as if it had run:
 * not at once, or it would have nothing of the device while it is slow, but before it has its whole
 * share again. A thread that sleeps while nobody is new.
 */
final class Newcomers implements AutoCloseable {
    private static final long LOOK_MILLIS = 20;

    /** Without more to compile, or to pay, for so long: it is as fast as it gets. */
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** What compilers use of a core while they have nothing much to do; one part in so many. */
    private static final int LITTLE = 20;

    private final CompilerThreads compilers;
    private final Map<DeviceSharing.Member, CompileCredit> credits = new WeakHashMap<>();
    private final Map<DeviceSharing.Member, Newcomer> newcomers = new HashMap<>();
    private final Thread thread;
    private boolean closed;

    private static final class Newcomer {
        private final DeviceSharing sharing;
        private final CompileCredit credit;

        /** When something was last done for it. */
        private long since;

        /** Device time that it has paid for what it owes with. */
        private long used;

        Newcomer(DeviceSharing sharing, CompileCredit credit, long used) {
            this.sharing = sharing;
            this.credit = credit;
            this.used = used;
        }
    }

    Newcomers(CompilerThreads compilers) {
        this.compilers = compilers;
        thread = Thread.ofPlatform().daemon().name("facet-newcomers").start(this::run);
    }

    /** It has new code. No monitor of a device is held. */
    synchronized void arrived(DeviceSharing sharing, DeviceSharing.Member member) {
        long now = System.nanoTime();
        CompileCredit credit = credits.computeIfAbsent(member, key -> new CompileCredit(now));
        if (!credit.isSpent(now)) {
            newcomers.computeIfAbsent(
                                    member,
                                    key -> new Newcomer(sharing, credit, sharing.used(member)))
                            .since =
                    now;
            notifyAll();
        }
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
        while (newcomers.isEmpty() && !closed) {
            wait();
        }
        return !closed;
    }

    private void help() throws IOException, InterruptedException {
        long used = compilers.nanos();
        long looked = System.nanoTime();
        boolean forward = false;
        try {
            while (true) {
                boolean wanted = isSomebodyHelped(looked);
                if (wanted && !forward) {
                    compilers.comeForward();
                } else if (forward && !wanted) {
                    compilers.stepBack();
                }
                forward = wanted;
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
            if (forward) {
                compilers.stepBack();
            }
        }
    }

    private synchronized boolean isSomebodyHelped(long now) {
        return newcomers.values().stream().anyMatch(each -> !each.credit.isSpent(now));
    }

    /**
     * @param nanos what compilers had while they did not step back
     * @return whether somebody is still new, or pays
     */
    private synchronized boolean look(long nanos, long elapsed, long now) {
        boolean busy = nanos > elapsed / LITTLE;
        long helped = newcomers.values().stream().filter(each -> !each.credit.isSpent(now)).count();
        Iterator<Map.Entry<DeviceSharing.Member, Newcomer>> all = newcomers.entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<DeviceSharing.Member, Newcomer> next = all.next();
            DeviceSharing.Member member = next.getKey();
            Newcomer newcomer = next.getValue();
            if (!newcomer.credit.isSpent(now)) {
                newcomer.credit.spend(nanos / helped, now);
                newcomer.since = busy ? now : newcomer.since;
            }
            long used = newcomer.sharing.used(member);
            long paid = newcomer.credit.pay(used - newcomer.used);
            newcomer.used = used;
            if (paid > 0) {
                newcomer.sharing.bill(member, paid);
                newcomer.since = now;
            }
            if (now - newcomer.since > QUIET_NANOS) {
                all.remove();
            }
        }
        return !newcomers.isEmpty() && !closed;
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
