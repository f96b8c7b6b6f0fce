package facet.host.session;

import facet.abi.Constants;
import facet.host.ledger.LedgerMemory;
import facet.host.ledger.PeriodicThread;
import facet.slices.Size;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Compares the memory that sessions of a slice really use with what they have allocated. A client
 * has all of a context's memory mapped, and a kernel reaches what lies between two allocations: who
 * uses what it has not allocated is ended.
 *
 * <p>Honest clients are a little above what they have allocated: pages are whole, and freed memory
 * keeps its pages for a while. docs/session-protocol.md says how much. What they have freed and the
 * daemon itself is about to take away is not held against them; nor does it help anybody, since
 * what is there is lost within moments.
 */
public final class PageAudit implements PeriodicThread.Look, AutoCloseable {
    /** An allocation may be used before the host has seen it. */
    static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** How long a session with commands that were not looked at yet is waited for. */
    static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** Above what a session has, and above what all of them may have. */
    static final long SESSION_SLACK = 16L << 20;

    static final long SLICE_SLACK = 64L << 20;

    private final LongSupplier limit;
    private final LongSupplier highestLimit;
    private final Supplier<? extends Collection<? extends Watched>> sessions;
    private final Map<Watched, Long> since = new HashMap<>();
    private volatile boolean closed;

    /** A session as the audit sees it. */
    public interface Watched {
        /** Bytes of memory that its contexts take. */
        long resident();

        /** Bytes that it has allocated and that count against the slice. */
        long counted();

        /** Bytes that it has allocated of the machine's memory. */
        long host();

        /** What allocations take when whole pages are counted. Costs time. */
        long pages();

        /** Bytes of pages that it has freed and that are about to be taken away. May cost time. */
        long returning();

        /** Whether all that it sent has been looked at. */
        boolean isDrained();

        void expel(String why);
    }

    public PageAudit(LedgerMemory ledger, Supplier<Collection<SessionHost>> sessions) {
        this(
                ledger::limitOfAll,
                ledger::highestLimitOfAll,
                () -> sessions.get().stream().map(SessionHost::watched).toList());
    }

    /** Of sessions that are hosted elsewhere, and have memory here. */
    public static PageAudit ofImages(
            LedgerMemory ledger, Supplier<? extends Collection<? extends Watched>> sessions) {
        return new PageAudit(ledger::limitOfAll, ledger::highestLimitOfAll, sessions);
    }

    /**
     * @param limit bytes of all devices of the slice
     * @param highestLimit what it ever was: clients keep freed memory by that until they free more
     */
    PageAudit(
            LongSupplier limit,
            LongSupplier highestLimit,
            Supplier<? extends Collection<? extends Watched>> sessions) {
        this.limit = limit;
        this.highestLimit = highestLimit;
        this.sessions = sessions;
    }

    /** A session has begun. */
    public void wake() {
        PeriodicThread.include(this);
    }

    @Override
    public boolean look() {
        Collection<? extends Watched> all = sessions.get();
        if (closed || all.isEmpty()) {
            since.clear();
            return false;
        }
        look(System.nanoTime(), all);
        return true;
    }

    /** Ends who has used too much for too long. */
    void look(long now, Collection<? extends Watched> all) {
        Set<Watched> beyond = new HashSet<>();
        Watched worst = null;
        long worstExcess = 0;
        long used = 0;
        long counted = 0;
        for (Watched each : all) {
            // Before the other: what goes meanwhile is not to count as taken.
            long returning = each.returning();
            long resident = Math.max(0, each.resident() - returning);
            long excess = resident - each.counted() - each.host();
            counted += each.counted();
            used += resident - Math.min(resident, each.host());
            if (excess > worstExcess) {
                worst = each;
                worstExcess = excess;
            }
            if (excess > allowance() && resident > each.pages() + allowance()) {
                beyond.add(each);
            }
        }
        // After the limit was lowered sessions may have more than it.
        long most = Math.max(limit.getAsLong(), counted);
        if (worst != null && used > most + highestLimit.getAsLong() / 8 + SLICE_SLACK) {
            beyond.add(worst);
        }
        since.keySet().retainAll(beyond);
        beyond.forEach(each -> since.putIfAbsent(each, now));
        for (Map.Entry<Watched, Long> each : Map.copyOf(since).entrySet()) {
            long age = now - each.getValue();
            if (age > GRACE_NANOS && each.getKey().isDrained() || age > PATIENCE_NANOS) {
                since.remove(each.getKey());
                each.getKey().expel(reason(each.getKey(), used));
            }
        }
    }

    /** What a session may have above its allocations. */
    private long allowance() {
        return highestLimit.getAsLong() / Constants.KEPT_PART + SESSION_SLACK;
    }

    private String reason(Watched session, long used) {
        return "it uses "
                + Size.text(session.resident())
                + " of memory and has allocated "
                + Size.text(session.counted())
                + " of its slice and "
                + Size.text(session.host())
                + " of the machine; the slice uses "
                + Size.text(used)
                + " of "
                + Size.text(limit.getAsLong());
    }

    @Override
    public void close() {
        closed = true;
    }
}
