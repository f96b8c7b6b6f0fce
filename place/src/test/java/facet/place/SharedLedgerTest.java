package facet.place;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Several decide over one ledger, each by a copy of the cluster that may be out of date. */
final class SharedLedgerTest {
    private static final class Scheduler {
        final Cluster copy;
        final Placer placer;

        Scheduler(Cluster truth, String policy, long seed) {
            copy = truth.empty();
            copy.follow(truth);
            placer = new Placer(copy, Policies.named(policy), List.of(), seed);
        }
    }

    @Test
    void lostRacesAreTriedAgainAndNothingIsDoubled() {
        SplittableRandom random = new SplittableRandom(Samples.SEED);
        Cluster truth = Samples.cluster(12, random);
        Ledger ledger = new Ledger(truth);
        List<Scheduler> schedulers = new ArrayList<>();
        for (String each : List.of("facet", "best-fit", "spreading", "random")) {
            schedulers.add(new Scheduler(truth, each, Samples.SEED));
        }
        List<Integer> tickets = new ArrayList<>();
        int lost = 0;
        int refused = 0;
        for (int event = 0; event < 20_000; event++) {
            if (random.nextInt(100) < 45 && !tickets.isEmpty()) {
                int last = tickets.size() - 1;
                Collections.swap(tickets, random.nextInt(tickets.size()), last);
                ledger.leave(tickets.removeLast());
            } else if (random.nextInt(200) == 0) {
                int node = random.nextInt(truth.nodes());
                if (truth.isClosed(node)) {
                    truth.open(node);
                } else {
                    truth.close(node);
                }
            } else {
                Scheduler one = schedulers.get(random.nextInt(schedulers.size()));
                Job job = Job.of(Samples.request(random));
                Optional<Integer> entered = Optional.empty();
                boolean fits = true;
                for (int attempt = 0; fits && entered.isEmpty(); attempt++) {
                    Optional<Proposal> place = one.placer.propose(job.request());
                    fits = place.isPresent();
                    entered = place.flatMap(each -> ledger.tryEnter(job, each));
                    if (entered.isEmpty()) {
                        boolean stale = attempt == 0;
                        one.copy.follow(truth);
                        lost += fits ? 1 : 0;
                        // What was full in the copy may have room by now.
                        fits = fits || stale;
                    }
                    assertTrue(attempt < 3, "a copy that is up to date does not lose");
                }
                entered.ifPresent(tickets::add);
                assertEquals(
                        entered.isEmpty(),
                        entered.isEmpty() && !Explanation.of(truth, job.request()).fits(),
                        "refused, though it fits");
                refused += entered.isEmpty() ? 1 : 0;
            }
            if (event % 501 == 0) {
                ledger.audit();
            }
        }
        ledger.audit();
        assertTrue(lost > 500, "only " + lost + " races were lost");
        assertTrue(refused > 100, "the cluster was never full: " + refused);
        for (Scheduler each : schedulers) {
            each.copy.follow(truth);
            assertEquals(truth.used(), each.copy.used());
            for (int node = 0; node < truth.nodes(); node++) {
                each.copy.compare(truth, node);
                assertEquals(truth.version(node), each.copy.version(node));
            }
        }
    }

    @Test
    void gangIsEnteredAsAWholeOrNotAtAll() {
        Cluster cluster = new Cluster(List.of(new Node("a", "x", 2, 8000, 100)), new Models());
        Ledger ledger = new Ledger(cluster);
        Request half = new Request(1, 600, Names.ANY, 1, 1);
        List<Job> jobs = List.of(Job.of(half), Job.of(half), Job.of(half));
        long version = cluster.version(0);
        Proposal first = new Proposal(half, 0, 0b01, version);
        Proposal second = new Proposal(half, 0, 0b10, version);
        assertEquals(List.of(), ledger.tryEnter(jobs, List.of(first, second, first)));
        assertEquals(0, ledger.count());
        assertEquals(0, cluster.used());
        ledger.audit();
        Proposal again = new Proposal(half, 0, 0b01, cluster.version(0));
        assertTrue(ledger.tryEnter(Job.of(half), again).isPresent());
        Proposal stale = new Proposal(half, 0, 0b10, again.version());
        assertTrue(ledger.tryEnter(Job.of(half), stale).isEmpty(), "the node has changed");
        assertTrue(ledger.tryEnter(Job.of(half), stale.anyVersion()).isPresent());
        ledger.audit();
    }
}
