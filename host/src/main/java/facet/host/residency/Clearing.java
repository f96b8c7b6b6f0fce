package facet.host.residency;

import facet.sched.Eviction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes room on a device: contexts of this process move out what {@link Eviction} names, other
 * processes are told to. Both are chosen by one rule.
 */
final class Clearing implements Source {
    private final Residency book;

    Clearing(Residency book) {
        this.book = book;
    }

    @Override
    public boolean isDue() {
        return false;
    }

    @Override
    public void begin(List<Request> waiting) {
        long now = System.nanoTime();
        book.rooms().forEach(each -> each.remind(now));
    }

    @Override
    public void end() {
        // Nobody waits for a word of this.
    }

    @Override
    public long makeRoom(Request request, long missing) {
        long now = System.nanoTime();
        long coming = 0;
        for (RemoteRoom each : book.rooms()) {
            coming += each.coming(now);
        }
        if (coming >= missing || askAll(now)) {
            return now + Residency.LOOK_NANOS;
        }
        return switch (book.eviction().decide(candidates(request, now), missing - coming, now)) {
            case Eviction.Decision.Move<Leaver> move -> {
                request.collecting = true;
                yield clear(move.all(), request, missing);
            }
            case Eviction.Decision.Wait<Leaver> wait -> {
                request.hopeless = false;
                yield wait.until();
            }
            case Eviction.Decision.Never<Leaver> _ -> hopeless(request, missing, now);
        };
    }

    /** Whether others are to tell first what they have. Each of them is given a moment for it. */
    private boolean askAll(long now) {
        boolean waits = false;
        for (RemoteRoom each : book.rooms()) {
            waits |= each.askIfOld(now);
        }
        return waits;
    }

    private List<Eviction.Candidate<Leaver>> candidates(Request request, long now) {
        List<Eviction.Candidate<Leaver>> all = new ArrayList<>();
        for (ContextHolding each : book.holdings()) {
            all.addAll(each.candidates(now, each == request.claimant));
        }
        for (RemoteRoom each : book.rooms()) {
            all.addAll(each.candidates(now, each == request.claimant));
        }
        return all;
    }

    private long clear(List<Leaver> chosen, Request request, long missing) {
        List<ContextMoves.Group> here = new ArrayList<>();
        Map<RemoteRoom, Long> elsewhere = new LinkedHashMap<>();
        for (Leaver each : chosen) {
            switch (each) {
                case ContextMoves.Group group -> here.add(group);
                case RemoteRoom.Part(RemoteRoom room, long bytes) ->
                        elsewhere.merge(room, bytes, Long::sum);
            }
        }
        // They begin while this thread copies.
        elsewhere.forEach((room, bytes) -> room.shrink(bytes, room == request.claimant));
        boolean moved = ContextMoves.moveOut(here, book);
        if (elsewhere.isEmpty()) {
            request.hopeless &= !moved;
            return moved ? 0 : hopeless(request, missing, System.nanoTime());
        }
        return System.nanoTime() + Residency.LOOK_NANOS;
    }

    /** Fails a request that has had no chance for long. */
    private long hopeless(Request request, long missing, long now) {
        if (!request.hopeless) {
            request.hopeless = true;
            request.hopelessSince = now;
        }
        request.collecting = false;
        // What other processes have told may be older than what has changed there.
        long told = book.rooms().isEmpty() ? 0 : 2 * RemoteRoom.FRESH_NANOS;
        long patience = request.claimant.isPatient() ? book.patienceNanos() : told;
        boolean over = now - request.hopelessSince >= patience && book.refuse(request, missing);
        return over ? 0 : now + Residency.LOOK_NANOS;
    }
}
