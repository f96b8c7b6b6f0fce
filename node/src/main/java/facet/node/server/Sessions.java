package facet.node.server;

import facet.abi.Constants;
import facet.host.ledger.LedgerMemory;
import facet.node.server.HostPlace.HostedSession;
import facet.os.Uninterrupted;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;

/**
 * The sessions of a slice, the slots that they have in its ledger, and what all of them have used,
 * also those that have ended.
 */
final class Sessions {
    private final LedgerMemory ledger;
    private final Map<Integer, HostedSession> open = new HashMap<>();
    private final BitSet slots = new BitSet(Constants.LEDGER_SLOTS);
    private long endedLaunches;
    private final long[] endedNanos;
    private boolean closed;

    /**
     * @param devices of the slice
     */
    Sessions(LedgerMemory ledger, int devices) {
        this.ledger = ledger;
        this.endedNanos = new long[devices];
    }

    // ---- who comes and goes

    /** A slot for one more; empty when there is none. */
    synchronized OptionalInt takeSlot() {
        int slot = closed ? Constants.LEDGER_SLOTS : slots.nextClearBit(0);
        if (slot == Constants.LEDGER_SLOTS) {
            return OptionalInt.empty();
        }
        slots.set(slot);
        return OptionalInt.of(slot);
    }

    /** How many are here or come. */
    synchronized int count() {
        return slots.cardinality();
    }

    /** Whether nobody is here or comes. */
    synchronized boolean areNone() {
        return slots.isEmpty();
    }

    /**
     * Does something while nobody is here or comes.
     *
     * @return what came of it; empty, and nothing done, when somebody is here
     */
    synchronized <T> Optional<T> whileThereAreNone(Supplier<T> action) {
        return slots.isEmpty() && !closed ? Optional.of(action.get()) : Optional.empty();
    }

    /**
     * The same, for the last time: nobody comes any more.
     *
     * @return false, and nothing done, when somebody is here
     */
    synchronized boolean closeIfNone(Runnable action) {
        if (!slots.isEmpty() || closed) {
            return false;
        }
        action.run();
        closed = true;
        return true;
    }

    synchronized void freeSlot(int slot) {
        if (!closed) {
            ledger.clear(slot);
        }
        slots.clear(slot);
        notifyAll();
    }

    /** Waits until all slots are free; once closed none is taken any more. */
    synchronized void awaitNone() {
        Uninterrupted.waitWhile(this, () -> !slots.isEmpty());
    }

    synchronized void add(int id, HostedSession session) {
        open.put(id, session);
    }

    /** In one step: whoever sums up sees it here or there, not in neither. */
    synchronized Optional<HostedSession> end(int id) {
        HostedSession session = open.remove(id);
        if (session != null) {
            endedLaunches += session.launches();
            for (int i = 0; i < endedNanos.length; i++) {
                endedNanos[i] += session.deviceNanos(i);
            }
        }
        return Optional.ofNullable(session);
    }

    synchronized Optional<HostedSession> find(int id) {
        return Optional.ofNullable(open.get(id));
    }

    synchronized List<HostedSession> all() {
        return List.copyOf(open.values());
    }

    /** No more come. False when that was said before. */
    synchronized boolean close() {
        boolean first = !closed;
        closed = true;
        return first;
    }

    synchronized boolean isClosed() {
        return closed;
    }

    // ---- what they use

    int devices() {
        return endedNanos.length;
    }

    synchronized long launches() {
        return endedLaunches + open.values().stream().mapToLong(HostedSession::launches).sum();
    }

    synchronized long deviceNanos(int device) {
        return endedNanos[device]
                + open.values().stream().mapToLong(each -> each.deviceNanos(device)).sum();
    }

    synchronized long memoryUsed(int device) {
        return open.values().stream().mapToLong(each -> each.memoryUsed(device)).sum();
    }
}
