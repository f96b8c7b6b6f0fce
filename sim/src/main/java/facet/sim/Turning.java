package facet.sim;

import facet.place.Ledger;
import facet.place.tide.Step;
import facet.place.tide.Tides;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The tides of a run: when they turn, and what became of it. Without a calendar nothing happens.
 */
final class Turning {
    private final @Nullable Calendar calendar;
    private final @Nullable Tides tides;
    private final Ledger ledger;
    private final Set<Integer> draining = new HashSet<>();

    /** Tickets that were told to leave by the tide: nobody else may spare them. */
    private final Set<Integer> told = new HashSet<>();

    private int drained;
    private int changed;
    private int ended;
    private int evicted;

    Turning(@Nullable Calendar calendar, Ledger ledger) {
        this.calendar = calendar;
        this.ledger = ledger;
        tides = calendar == null ? null : calendar.on(ledger);
    }

    /** When it is to be asked next. */
    long next(long now) {
        return calendar == null ? Long.MAX_VALUE : calendar.next(now);
    }

    /**
     * @return who has to leave
     */
    List<Step.Evict> decide(long now, IntToLongFunction ends) {
        if (tides == null) {
            return List.of();
        }
        List<Step> steps = tides.decide(now, ends);
        for (Step each : steps) {
            switch (each) {
                case Step.Drain drain -> {
                    drained++;
                    draining.add(drain.node());
                }
                case Step.Stay stay -> draining.remove(stay.node());
                case Step.Change change -> {
                    changed++;
                    draining.remove(change.node());
                }
                case Step.Evict evict -> told.add(evict.ticket());
            }
        }
        return steps.stream()
                .filter(Step.Evict.class::isInstance)
                .map(Step.Evict.class::cast)
                .toList();
    }

    boolean isTold(int ticket) {
        return told.contains(ticket);
    }

    /** Before the ledger forgets a ticket. */
    void leaves(int ticket, boolean byItself) {
        if (tides == null) {
            return;
        }
        boolean was = told.remove(ticket);
        ended += byItself && draining.contains(ledger.node(ticket)) ? 1 : 0;
        evicted += was && !byItself ? 1 : 0;
        tides.left(ticket);
    }

    Turns result() {
        return new Turns(drained, changed, ended, evicted);
    }
}
