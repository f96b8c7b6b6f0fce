package facet.place;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever comes and goes, what is free and what was given away add up to what there is. */
final class BooksTest {
    private static final int EVENTS = 20_000;

    static List<String> policies() {
        return Policies.NAMES;
    }

    @ParameterizedTest
    @MethodSource("policies")
    void addUpOverRandomRequestsAndDepartures(String policy) {
        SplittableRandom random = new SplittableRandom(Samples.SEED);
        Cluster cluster = Samples.cluster(40, random);
        List<Request> given = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            given.add(Samples.request(random));
        }
        Placer placer = new Placer(cluster, Policies.named(policy), given, Samples.SEED);
        List<Placement> there = new ArrayList<>();
        int refused = 0;
        for (int event = 0; event < EVENTS; event++) {
            if (random.nextInt(100) < 55) {
                Request request = Samples.request(random);
                Optional<Placement> place = placer.place(request);
                place.ifPresent(there::add);
                assertEquals(
                        place.isEmpty(),
                        place.isEmpty() && !placer.explain(request).fits(),
                        "refused, though it fits");
                refused += place.isEmpty() ? 1 : 0;
            } else if (!there.isEmpty()) {
                placer.leave(there.remove(random.nextInt(there.size())).ticket());
            }
            if (event % 97 == 0) {
                placer.ledger().audit();
                assertEquals(there.size(), placer.ledger().count());
                assertEquals(
                        there.stream().mapToLong(each -> each.request().demand()).sum(),
                        cluster.used());
            }
        }
        assertTrue(refused > 100, "the cluster was never full: " + refused);
        there.forEach(each -> placer.leave(each.ticket()));
        placer.ledger().audit();
        assertEquals(0, cluster.used());
    }

    @Test
    void nothingIsGivenTwice() {
        Cluster cluster = new Cluster(List.of(new Node("a", "x", 2, 8000, 1024)), new Models());
        Ledger ledger = new Ledger(cluster);
        Request most = new Request(1, 600, Models.ANY, 1000, 10);
        ledger.enter(most, 0, 0b01);
        assertThrows(IllegalStateException.class, () -> ledger.enter(most, 0, 0b01));
        assertThrows(IllegalStateException.class, () -> ledger.enter(most, 0, 0b11));
        assertThrows(IllegalStateException.class, () -> ledger.enter(most, 0, 0b100));
        Request processors = new Request(1, 600, Models.ANY, 7001, 10);
        assertThrows(IllegalStateException.class, () -> ledger.enter(processors, 0, 0b10));
        Request memory = new Request(1, 600, Models.ANY, 1, 1015);
        assertThrows(IllegalStateException.class, () -> ledger.enter(memory, 0, 0b10));
        ledger.audit();
        assertEquals(600, cluster.used());
    }

    @Test
    void ticketIsGoodForOneDeparture() {
        Cluster cluster = new Cluster(List.of(new Node("a", "x", 2, 8000, 1024)), new Models());
        Ledger ledger = new Ledger(cluster);
        int ticket = ledger.enter(new Request(2, 1000, Models.ANY, 0, 0), 0, 0b11);
        assertEquals(0b11, ledger.placement(ticket).devices());
        ledger.leave(ticket);
        assertThrows(IllegalArgumentException.class, () -> ledger.leave(ticket));
        assertThrows(IllegalArgumentException.class, () -> ledger.leave(-1));
        assertThrows(IllegalArgumentException.class, () -> ledger.leave(Integer.MAX_VALUE));
        assertEquals(0, ledger.count());
        ledger.audit();
    }

    @Test
    void requestsThatMakeNoSenseAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> new Request(1, 1001, -1, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> new Request(1, -1, -1, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> new Request(0, 500, -1, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> new Request(1, 0, -1, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> new Request(65, 1000, -1, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> new Request(-1, 0, -1, 0, 0));
        assertThrows(
                IllegalArgumentException.class, () -> new Request(0, 0, -1, Integer.MIN_VALUE, 0));
        assertThrows(IllegalArgumentException.class, () -> new Request(0, 0, -1, 0, -1));
    }
}
