package facet.place;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What is promised beyond what a device has, and who leaves first. */
class GivingWayTest {
    private static Placer placer(int promised, int devices) {
        Node node =
                new Node("a", "x", devices, 1_000_000, 1_000_000)
                        .with(Traits.NONE.withPromised(promised));
        return new Placer(
                new Cluster(List.of(node), new Models()), Policies.named("facet"), List.of(), 1);
    }

    private static Request burst(int thousandths) {
        return new Request(1, Share.burst(thousandths), Where.ANYWHERE, 0, 0);
    }

    private static Request hard(int thousandths) {
        return new Request(1, thousandths, Models.ANY, 0, 0);
    }

    @Test
    void burstsFillUpToTheLimit() {
        Placer placer = placer(1500, 1);
        assertTrue(placer.place(hard(800)).isPresent());
        assertTrue(placer.place(burst(500)).isPresent());
        assertTrue(placer.place(burst(201)).isEmpty(), "1501 would be promised");
        assertEquals(
                List.of(
                        "it fits nowhere",
                        "1 device has no 201/1000 to promise beyond what there is: the most is"
                                + " 200"),
                placer.explain(burst(201)).lines());
        assertTrue(placer.place(burst(200)).isPresent());
        assertEquals(800, placer.ledger().cluster().used(), "bursts have no right to it");
        placer.ledger().audit();
    }

    @Test
    void nobodyGetsMoreThanThereIsWithoutALimit() {
        Placer placer = placer(1000, 1);
        assertTrue(placer.place(hard(800)).isPresent());
        assertTrue(placer.place(burst(201)).isEmpty());
        assertTrue(placer.place(burst(200)).isPresent());
        assertThrows(IllegalArgumentException.class, () -> Traits.NONE.withPromised(999));
    }

    @Test
    void theyGoWhereLeastIsPromised() {
        Placer placer = placer(2000, 2);
        assertEquals(1, placer.place(hard(500)).orElseThrow().devices());
        assertEquals(2, placer.place(burst(400)).orElseThrow().devices());
        assertEquals(2, placer.place(burst(300)).orElseThrow().devices());
        assertEquals(1, placer.place(burst(300)).orElseThrow().devices());
    }

    /** Whoever has a right to the device comes as if they were not there. */
    @Test
    void theyGiveWayToThoseWithARight() {
        Placer placer = placer(1500, 1);
        Ledger ledger = placer.ledger();
        int low = ledger.enter(new Job("low", burst(700), "", 0, Job.Stay.PUT), 0, 1);
        int small = ledger.enter(new Job("small", burst(300), "", 1, Job.Stay.PUT), 0, 1);
        int large = ledger.enter(new Job("large", burst(500), "", 1, Job.Stay.PUT), 0, 1);
        assertEquals(List.of(), GivingWay.of(ledger, 0));
        int first = placer.place(hard(600)).orElseThrow().ticket();
        assertEquals(List.of(low), GivingWay.of(ledger, 0), "600 too much: the lowest priority");
        ledger.leave(low);
        int second = placer.place(hard(400)).orElseThrow().ticket();
        assertEquals(List.of(small), GivingWay.of(ledger, 0), "300 too much: just these");
        ledger.audit();
        ledger.leave(small);
        ledger.leave(first);
        ledger.leave(second);
        ledger.leave(large);
        ledger.audit();
    }

    /** Against all subsets. */
    @Test
    void noMoreLeaveThanNeeded() {
        long seed = Long.getLong("facet.seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 300; round++) {
            Placer placer = placer(2000, 1);
            Ledger ledger = placer.ledger();
            List<Integer> sizes = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                int size = 1 + random.nextInt(300);
                sizes.add(size);
                ledger.enter(burst(size), 0, 1);
            }
            int hard = 1 + random.nextInt(1000);
            ledger.enter(hard(hard), 0, 1);
            int excess = hard + sizes.stream().mapToInt(Integer::intValue).sum() - 2000;
            int best = Integer.MAX_VALUE;
            for (int set = 0; set < 1 << 8; set++) {
                int sum = 0;
                for (int i = 0; i < 8; i++) {
                    sum += (set >>> i & 1) * sizes.get(i);
                }
                best = sum >= excess ? Math.min(best, sum) : best;
            }
            int left =
                    GivingWay.of(ledger, 0).stream()
                            .mapToInt(each -> ledger.job(each).request().share().burst())
                            .sum();
            assertEquals(best, left, "seed " + seed + ", round " + round);
        }
    }
}
