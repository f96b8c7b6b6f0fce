package facet.host.session;

import facet.host.ledger.Ledger;
import facet.host.ledger.Tally;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Freed memory of a context whose pages go back to the system: that takes a second for some
 * gigabytes, and nobody waits for it who frees. The client does not use the addresses until it is
 * told that the pages have gone. Until then they are in the books as what they are: neither
 * allocated, nor taken without asking.
 *
 * <p>Added to by the session's thread, emptied by {@link PageReturner}'s.
 */
final class ReturningPages {
    /** Given back at a time: some milliseconds, for which the end of a context may have to wait. */
    private static final long PIECE = 64L << 20;

    private final LentMemory memory;
    private final Ledger ledger;
    private final Tally tally;
    private final ContextReport report;

    /** In the order in which the client named them. */
    private final ArrayDeque<Range> ranges = new ArrayDeque<>();

    private final ArrayDeque<Waiter> waiters = new ArrayDeque<>();
    private long asked;
    private long returned;
    private boolean closed;

    /**
     * What is left of a range.
     *
     * @param kept bytes of it that may have pages, as the client says
     */
    private record Range(long offset, long bytes, long kept) {
        private Range without(long piece) {
            long left = bytes - piece;
            // bounded: a piece is no longer than the range, which lies in its context
            return new Range(offset + piece, left, Math.min(kept, left));
        }
    }

    /** Somebody who wants to know when so many ranges have gone. */
    private record Waiter(long count, Runnable action) {}

    ReturningPages(LentMemory memory, Ledger ledger, Tally tally, ContextReport report) {
        this.memory = memory;
        this.ledger = ledger;
        this.tally = tally;
        this.report = report;
    }

    /**
     * The client has freed this.
     *
     * @param kept bytes of it that may have pages, as the client says
     */
    void add(long offset, long bytes, long kept) {
        if (!tally.addObject()) {
            throw new ProtocolViolation("its slice gives too many pieces of memory back at once");
        }
        Range range = new Range(offset, bytes, Math.clamp(kept, 0, bytes));
        ledger.returning(range.kept());
        synchronized (this) {
            ranges.add(range);
            asked++;
        }
        PageReturner.include(this);
    }

    /** Runs the action when all that was added so far has gone. */
    void whenReturned(Runnable action) {
        synchronized (this) {
            if (returned < asked && !closed) {
                waiters.add(new Waiter(asked, action));
                return;
            }
        }
        action.run();
    }

    /** Gives a piece back; says whether there is more. For {@link PageReturner}. */
    boolean giveBackPiece() {
        Range first;
        synchronized (this) {
            first = ranges.peek();
        }
        if (first == null) {
            return false;
        }
        long piece = Math.min(first.bytes(), PIECE);
        try {
            memory.giveBack(first.offset(), piece);
        } finally {
            // Pages that the system did not take are found by the audit when there are many.
            went(first, piece);
        }
        return true;
    }

    private void went(Range first, long piece) {
        Range rest = first.without(piece);
        List<Runnable> due = new ArrayList<>();
        synchronized (this) {
            if (closed) {
                return;
            }
            ranges.remove();
            if (rest.bytes() > 0) {
                ranges.addFirst(rest);
            } else {
                returned++;
                report.returned(returned);
                tally.removeObjects(1);
                while (!waiters.isEmpty() && waiters.peek().count() <= returned) {
                    due.add(waiters.remove().action());
                }
            }
        }
        ledger.returning(rest.kept() - first.kept());
        due.forEach(Runnable::run);
    }

    /** Bytes of pages that are still to go. Costs time. */
    long resident() {
        List<Range> all;
        synchronized (this) {
            if (ranges.isEmpty()) {
                return 0;
            }
            all = List.copyOf(ranges);
        }
        return all.stream().mapToLong(each -> memory.resident(each.offset(), each.bytes())).sum();
    }

    /** All memory of the context has gone. */
    void close() {
        long kept;
        List<Waiter> all;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            kept = ranges.stream().mapToLong(Range::kept).sum();
            tally.removeObjects(ranges.size());
            ranges.clear();
            all = List.copyOf(waiters);
            waiters.clear();
        }
        ledger.returning(-kept);
        all.forEach(each -> each.action().run());
    }
}
