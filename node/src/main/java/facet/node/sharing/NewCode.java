package facet.node.sharing;

import facet.node.slice.CompileCredit;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Who has new code, and what part of the compilers' work is whose. A compiler does not say for whom
 * it works, so its time is shared out by how much code each has made of late: one that makes code
 * all the time pays for it, and not who happens to begin beside it. Not for several threads.
 */
final class NewCode {
    /** Without more to compile, or to pay, for so long: it is as fast as it gets. */
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** What compilers use of a core while they have nothing much to do; one part in so many. */
    private static final int LITTLE = 20;

    /** In so long code is forgotten but for a third of it. */
    private static final double FORGOTTEN_NANOS = 1e9;

    /** With less than this, in time that it took to make it, its owner is new no longer. */
    private static final double LEAST_NANOS = 1e6;

    private final Map<Owner, Newcomer> newcomers = new HashMap<>();

    /** A slice on a device, as the compilers' bill sees it; equal to itself alone. */
    interface Owner {
        CompileCredit credit();

        /** Device time that it had, with what was billed. */
        long used();

        /** Seats that it has a right to. */
        double part();

        void bill(long nanos);
    }

    private static final class Newcomer {
        /** When something was last done for it. */
        private long since;

        /** Device time that it has paid for what it owes with. */
        private long used;

        /** Its code, in processor time that it took to make it, less what is forgotten. */
        private double code;
    }

    boolean isEmpty() {
        return newcomers.isEmpty();
    }

    /**
     * @param nanos processor time that the code took
     */
    void made(Owner owner, long nanos, long now) {
        Newcomer newcomer = newcomers.get(owner);
        if (newcomer == null) {
            newcomer = new Newcomer();
            newcomer.used = owner.used();
            newcomers.put(owner, newcomer);
        }
        newcomer.since = now;
        // A little at least: who has made anything is new.
        newcomer.code += Math.max((double) nanos, 2 * LEAST_NANOS);
    }

    /** Whether compilers are not to step back. */
    boolean isSomebodyHelped(long now) {
        return newcomers.entrySet().stream()
                .anyMatch(each -> isHelped(each.getKey(), each.getValue(), now));
    }

    private static boolean isHelped(Owner owner, Newcomer newcomer, long now) {
        return newcomer.code >= LEAST_NANOS
                && !owner.credit().isSpent(now)
                && !owner.credit().owesMuch();
    }

    /**
     * Shares out what compilers had.
     *
     * @param nanos what they had while they did not step back
     */
    void look(long nanos, long elapsed, long now) {
        boolean busy = nanos > elapsed / LITTLE;
        double all = newcomers.values().stream().mapToDouble(each -> each.code).sum();
        Iterator<Map.Entry<Owner, Newcomer>> each = newcomers.entrySet().iterator();
        while (each.hasNext()) {
            Map.Entry<Owner, Newcomer> next = each.next();
            Owner owner = next.getKey();
            Newcomer newcomer = next.getValue();
            if (busy && isHelped(owner, newcomer, now)) {
                newcomer.since = now;
            }
            if (all > 0) {
                long own = (long) (nanos * (newcomer.code / all));
                owner.credit().spend(own, now);
                owner.credit().owe(own);
            }
            newcomer.code *= Math.exp(-elapsed / FORGOTTEN_NANOS);
            if (pay(owner, newcomer, elapsed)) {
                newcomer.since = now;
            }
            if (now - newcomer.since > QUIET_NANOS) {
                each.remove();
            }
        }
    }

    /** Whether it paid anything. */
    private static boolean pay(Owner owner, Newcomer newcomer, long elapsed) {
        long used = owner.used();
        long had = used - newcomer.used;
        long paid = owner.credit().pay(had);
        owner.credit().forgive((long) (owner.part() * elapsed) - had);
        newcomer.used = used + paid; // what is billed counts as used
        if (paid > 0) {
            owner.bill(paid);
        }
        return paid > 0;
    }
}
