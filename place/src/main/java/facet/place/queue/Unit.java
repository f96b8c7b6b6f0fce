package facet.place.queue;

import facet.place.Ledger;
import java.util.ArrayList;
import java.util.List;

/** Jobs that began together and still run. They are made to leave together. */
final class Unit {
    final int number;
    final Waiting waited;
    final long began;
    final List<Integer> tickets = new ArrayList<>();

    /** How many of the tickets may not be made to leave. */
    int staying;

    /** Whether it was told to leave. */
    boolean leaves;

    Unit(int number, Waiting waited, long began) {
        this.number = number;
        this.waited = waited;
        this.began = began;
    }

    String queue() {
        return waited.gang().queue();
    }

    int priority() {
        return waited.gang().priority();
    }

    long demand(Ledger ledger) {
        long sum = 0;
        for (int ticket : tickets) {
            sum += ledger.job(ticket).request().demand();
        }
        return sum;
    }

    long cost(Ledger ledger, Rules.Costs costs, long now) {
        long sum = 0;
        for (int ticket : tickets) {
            long cost = costs.evict(ledger.job(ticket), now - began);
            sum = cost > Long.MAX_VALUE / 2 - sum ? Long.MAX_VALUE / 2 : sum + cost;
        }
        return sum;
    }

    boolean canLeave() {
        return staying == 0;
    }
}
