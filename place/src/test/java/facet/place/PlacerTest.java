package facet.place;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class PlacerTest {
    private static Request part(int thousandths) {
        return new Request(1, thousandths, Models.ANY, 1000, 1);
    }

    private static Cluster cluster() {
        return new Cluster(
                List.of(
                        new Node("a", "x", 2, 8000, 100),
                        new Node("b", "y", 2, 8000, 100),
                        new Node("c", "y", 1, 2000, 100)),
                new Models());
    }

    @Test
    void saysWhyThereIsNoPlace() {
        Placer placer = new Placer(cluster(), Policies.named("best-fit"), List.of(), 1);
        assertEquals("it fits on 5 devices of 3 nodes\n", placer.explain(part(300)).text());
        for (int i = 0; i < 5; i++) {
            assertTrue(placer.place(part(750)).isPresent(), "number " + i);
        }
        assertEquals(
                """
                it fits nowhere
                5 devices have processors and memory for it, but no 300/1000 of compute: the\
                 largest rest is 250
                """,
                placer.explain(part(300)).text());
        assertEquals(
                """
                it fits nowhere
                1 node is of models that it does not want
                1 node has fewer than 2 devices
                1 node has fewer than 2 free devices: the most is 0
                """,
                placer.explain(new Request(2, 1000, 0b10, 0, 0)).text());
        assertEquals(
                """
                it fits nowhere
                1 node has less than 1.5 processors free: the most is 1.0
                2 nodes have less than 99 MiB of memory free: the most is 98 MiB
                """,
                placer.explain(new Request(0, 0, Models.ANY, 1500, 99)).text());
    }

    @Test
    void tellsWhatTheBestPlacesCost() {
        Placer placer = new Placer(cluster(), Policies.named("facet"), List.of(), 1);
        List<Choice> choices = placer.choices(part(300), 2);
        assertEquals(2, choices.size());
        assertTrue(choices.get(0).cost() <= choices.get(1).cost(), choices::toString);
        for (Choice each : choices) {
            double sum = each.parts().values().stream().mapToDouble(Double::doubleValue).sum();
            assertEquals(each.cost(), sum, 1e-12);
        }
        Placement taken = placer.place(part(300)).orElseThrow();
        assertEquals(choices.getFirst().node(), taken.node());
        assertEquals(choices.getFirst().devices(), taken.devices());
    }

    @Test
    void packingUsesWhatIsInUse() {
        Placer placer = new Placer(cluster(), Policies.named("packing"), List.of(), 1);
        Placement first = placer.place(part(300)).orElseThrow();
        Placement second = placer.place(part(300)).orElseThrow();
        assertEquals(first.node(), second.node());
        assertEquals(first.devices(), second.devices());
    }

    @Test
    void spreadingUsesWhatIsFree() {
        Placer placer = new Placer(cluster(), Policies.named("spreading"), List.of(), 1);
        long devices =
                List.of(100, 100, 100, 100, 100).stream()
                        .map(each -> placer.place(part(each)).orElseThrow())
                        .map(each -> each.node() + " " + each.devices())
                        .distinct()
                        .count();
        assertEquals(5, devices);
    }

    @Test
    void fragmentationKeepsDevicesForWhatComes() {
        // Half of all requests are for whole devices: two parts go on one device.
        List<Request> mix = List.of(part(500), part(1000));
        Placer placer = new Placer(cluster(), Policies.named("fgd"), mix, 1);
        Placement first = placer.place(part(500)).orElseThrow();
        Placement second = placer.place(part(500)).orElseThrow();
        assertEquals(first.node(), second.node());
        assertEquals(first.devices(), second.devices());
    }

    @Test
    void partsOfSeveralDevicesAreOfDifferentOnes() {
        Placer placer = new Placer(cluster(), Policies.named("facet"), List.of(), 1);
        Request two = new Request(2, 600, Names.ANY, 1000, 1);
        assertEquals(0b11, placer.place(two).orElseThrow().devices());
        assertEquals(0b11, placer.place(two).orElseThrow().devices());
        assertTrue(placer.place(two).isEmpty(), "400 are free on four devices, 600 on none");
        assertTrue(placer.place(new Request(2, 400, Names.ANY, 1000, 1)).isPresent());
        placer.ledger().audit();
    }

    @Test
    void severalDevicesAreOnOneIsland() {
        Traits pairs = Traits.NONE.withIslandsOf(2);
        Cluster cluster =
                new Cluster(
                        List.of(
                                new Node("a", "x", 4, 9000, 99).with(pairs),
                                new Node("b", "x", 4, 9000, 99).with(pairs)),
                        new Models());
        Policy policy = Policy.parse("near", "score topology 1\nscore best-fit 0.01\n");
        Placer placer = new Placer(cluster, policy, List.of(), 1);
        placer.ledger().enter(part(1000), 0, 0b0010);
        placer.ledger().enter(part(1000), 0, 0b1000);
        Placement two = placer.place(new Request(2, 1000, Names.ANY, 0, 0)).orElseThrow();
        assertEquals(1, two.node(), "node a has two devices free, on two islands");
        assertEquals(0b0011, two.devices());
        assertEquals(
                0b1100, placer.place(new Request(2, 300, Names.ANY, 0, 0)).orElseThrow().devices());
        // Where there is no better place, two islands will do.
        assertEquals(
                0b0101,
                placer.place(new Request(2, 1000, Names.ANY, 0, 0)).orElseThrow().devices());
    }

    @Test
    void poolsLabelsAndTheRestOfADeviceAreRespected() {
        Models models = new Models();
        Names pools = new Names("pools");
        Names labels = new Names("labels");
        Traits night = Traits.NONE.withPool("night").withDeviceMemory(1000);
        Traits day = Traits.NONE.withPool("day").withLabels(Set.of("ssd")).withDeviceMemory(500);
        Cluster cluster =
                new Cluster(
                        List.of(
                                new Node("a", "x", 1, 9000, 99).with(night),
                                new Node("b", "x", 1, 9000, 99).with(day)),
                        models,
                        pools,
                        labels);
        Placer placer = new Placer(cluster, Policies.named("facet"), List.of(), 1);
        Where byDay = Where.ANYWHERE.inPools(pools.set(List.of("day")));
        Share little = new Share(100, 300, 0, 400);
        assertEquals(1, placer.place(new Request(1, little, byDay, 0, 0)).orElseThrow().node());
        assertTrue(placer.place(new Request(1, little, byDay, 0, 0)).isEmpty(), "200 MiB are left");
        Where ssd = Where.ANYWHERE.withLabels(labels.set(List.of("ssd")));
        assertTrue(placer.place(new Request(1, new Share(1, 0, 0, 601), ssd, 0, 0)).isEmpty());
        assertTrue(placer.place(new Request(1, new Share(1, 0, 0, 600), ssd, 0, 0)).isPresent());
        // A pool changes hands.
        cluster.changePool(0, "day");
        assertEquals(0, placer.place(new Request(1, little, byDay, 0, 0)).orElseThrow().node());
        cluster.close(0);
        assertTrue(placer.place(new Request(1, little, byDay, 0, 0)).isEmpty());
        Share all = new Share(0, Share.ALL_MEMORY, 0, 0);
        cluster.open(0);
        assertTrue(placer.place(new Request(1, all, byDay, 0, 0)).isEmpty());
        placer.ledger().audit();
    }

    @Test
    void sameSeedSamePlaces() {
        for (String policy : Policies.NAMES) {
            assertEquals(places(policy, 5), places(policy, 5), policy);
        }
        assertTrue(!places("random", 5).equals(places("random", 6)), "the seed does nothing");
    }

    private static List<String> places(String policy, long seed) {
        SplittableRandom random = new SplittableRandom(Samples.SEED);
        Cluster cluster = Samples.cluster(20, random);
        Placer placer = new Placer(cluster, Policies.named(policy), List.of(part(1)), seed);
        return random.ints(200)
                .mapToObj(each -> placer.place(Samples.request(random)).toString())
                .toList();
    }
}
