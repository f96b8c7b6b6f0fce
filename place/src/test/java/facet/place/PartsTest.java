package facet.place;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Fractions, whole devices, bursts and hardware parts in one ledger. */
class PartsTest {
    private static final String DIVISION = "a100-40gb";

    private static Placer placer(int devices) {
        Node node =
                new Node("a", "A100", devices, 1_000_000, 1_000_000)
                        .with(
                                Traits.NONE
                                        .withDivision(DIVISION)
                                        .withPromised(1500)
                                        .withDeviceMemory(40_000));
        return new Placer(
                new Cluster(
                        List.of(node, new Node("b", "T4", 1, 1_000_000, 1_000_000)), new Models()),
                Policies.named("facet"),
                List.of(),
                1);
    }

    private static Request part(String profile) {
        return of(Share.part(Parts.named(DIVISION, profile)));
    }

    private static Request of(Share share) {
        return new Request(1, share, Where.ANYWHERE, 0, 0);
    }

    private static int start(Placement placement) {
        return Objects.requireNonNull(placement.request().share().part()).start();
    }

    /** So many of a profile fit on a device, by NVIDIA's MIG User Guide, Supported MIG Profiles. */
    @ParameterizedTest
    @CsvSource({
        "a100-40gb, 1g.5gb 7 1g.10gb 4 2g.10gb 3 3g.20gb 2 4g.20gb 1 7g.40gb 1",
        "a100-80gb, 1g.10gb 7 1g.20gb 4 2g.20gb 3 3g.40gb 2 4g.40gb 1 7g.80gb 1",
        "h100-80gb, 1g.10gb 7 1g.20gb 4 2g.20gb 3 3g.40gb 2 4g.40gb 1 7g.80gb 1",
        "a30-24gb, 1g.6gb 4 2g.12gb 2 4g.24gb 1"
    })
    void asManyFitAsTheGuideSays(String division, String guide) {
        StringBuilder counts = new StringBuilder();
        for (Part each : Parts.of(division)) {
            Node node =
                    new Node("a", "x", 1, 1000, 1000)
                            .with(Traits.NONE.withDivision(division).withDeviceMemory(80_000));
            Placer placer =
                    new Placer(
                            new Cluster(List.of(node), new Models()),
                            Policies.named("facet"),
                            List.of(),
                            1);
            int count = 0;
            while (placer.place(of(Share.part(each))).isPresent()) {
                count++;
            }
            counts.append(each.profile()).append(' ').append(count).append(' ');
        }
        assertEquals(guide, counts.toString().strip());
    }

    @Test
    void theTableIsRight() {
        for (String division : Parts.divisions()) {
            for (Part each : Parts.of(division)) {
                for (int rest = each.starts(); rest != 0; rest &= rest - 1) {
                    int start = Integer.numberOfTrailingZeros(rest);
                    assertTrue(start + each.slices() <= each.of(), each::toString);
                }
            }
        }
        assertEquals(7, Parts.named(DIVISION, "1g.5gb").ways(0));
        assertThrows(IllegalArgumentException.class, () -> Parts.named(DIVISION, "5g.30gb"));
        assertThrows(IllegalArgumentException.class, () -> Parts.named("v100", "1g.5gb"));
        assertThrows(IllegalArgumentException.class, () -> Traits.NONE.withDivision("v100"));
    }

    @Test
    void aDeviceIsDividedOrShared() {
        Placer placer = placer(1);
        int shared = placer.place(new Request(1, 10, 1, 0, 0)).orElseThrow().ticket();
        assertTrue(placer.place(part("1g.5gb")).isEmpty(), "somebody has a part of its time");
        assertEquals(
                List.of(
                        "it fits nowhere",
                        "2 devices have no room for the hardware part 1g.5gb: divided otherwise,"
                                + " too full, or in use by others"),
                placer.explain(part("1g.5gb")).lines());
        placer.leave(shared);
        Placement divided = placer.place(part("1g.5gb")).orElseThrow();
        assertEquals(0, divided.node());
        assertTrue(placer.place(new Request(1, 10, 1, 0, 0)).isEmpty(), "it is divided");
        assertTrue(placer.place(new Request(1, 1000, 1, 0, 0)).isEmpty(), "not a whole one");
        assertTrue(
                placer.place(new Request(1, Share.burst(10), Where.models(1), 0, 0)).isEmpty(),
                "no burst either");
        assertTrue(
                placer.place(new Request(1, new Share(0, 1, 0, 0), Where.models(1), 0, 0))
                        .isEmpty(),
                "nor memory");
        placer.leave(divided.ticket());
        assertTrue(placer.place(new Request(1, 1000, 1, 0, 0)).isPresent());
        placer.ledger().audit();
    }

    @Test
    void sevenSmallPartsOrTwoLargeOnes() {
        Placer placer = placer(1);
        List<Integer> tickets = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            tickets.add(placer.place(part("1g.5gb")).orElseThrow().ticket());
        }
        assertTrue(placer.place(part("1g.5gb")).isEmpty(), "an eighth cannot begin anywhere");
        tickets.forEach(placer::leave);
        Placement three = placer.place(part("3g.20gb")).orElseThrow();
        assertEquals(4, start(three), "so that 4g.20gb, which begins at 0 alone, still fits");
        assertEquals(0, start(placer.place(part("4g.20gb")).orElseThrow()));
        assertTrue(placer.place(part("1g.5gb")).isEmpty());
        placer.ledger().audit();
    }

    /** The slices that come free are those of whoever left, not of an equal one. */
    @Test
    void everyoneHasItsOwnSlices() {
        Placer placer = placer(1);
        Placement first = placer.place(part("2g.10gb")).orElseThrow();
        Placement second = placer.place(part("2g.10gb")).orElseThrow();
        Placement third = placer.place(part("2g.10gb")).orElseThrow();
        placer.leave(second.ticket());
        Placement again = placer.place(part("2g.10gb")).orElseThrow();
        assertEquals(start(second), start(again));
        assertFalse(start(first) == start(third));
        placer.ledger().audit();
    }

    /** Trials leave nothing behind, also where a device is promised beyond its limit. */
    @Test
    void trialsOfPartsAndBursts() {
        Placer placer = placer(1);
        Placement small = placer.place(part("1g.5gb")).orElseThrow();
        try (Trial trial = new Trial(placer.ledger())) {
            trial.without(small.ticket());
            trial.with(part("7g.40gb"), 0, 1);
            assertFalse(trial.canReturn(small.ticket()));
        }
        placer.ledger().audit();
        assertTrue(placer.place(part("7g.40gb")).isEmpty());
    }

    @Test
    void nothingIsPlacedTwice() {
        long seed = Long.getLong("facet.seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        Placer placer = placer(6);
        List<Integer> tickets = new ArrayList<>();
        String[] profiles = {"1g.5gb", "1g.10gb", "2g.10gb", "3g.20gb", "4g.20gb", "7g.40gb"};
        for (int i = 0; i < 20_000; i++) {
            String told = "seed " + seed + ", event " + i;
            if (!tickets.isEmpty() && random.nextInt(100) < 49) {
                int last = tickets.size() - 1;
                Collections.swap(tickets, random.nextInt(tickets.size()), last);
                placer.leave(tickets.removeLast());
            } else {
                Request request =
                        switch (random.nextInt(5)) {
                            case 0 -> of(Share.burst(1 + random.nextInt(500)));
                            case 1 -> new Request(1 + random.nextInt(2), 1000, Models.ANY, 0, 0);
                            case 2 -> of(new Share(1 + random.nextInt(900), 1000, 10, 10));
                            default -> part(profiles[random.nextInt(profiles.length)]);
                        };
                boolean fits = placer.explain(request).fits();
                Optional<Placement> place = placer.place(request);
                assertEquals(fits, place.isPresent(), told);
                place.ifPresent(where -> {
                    tickets.add(where.ticket());
                    List<Integer> leave = GivingWay.of(placer.ledger(), where.node());
                    leave.forEach(placer::leave);
                    tickets.removeAll(leave);
                });
            }
            if (i % 50 == 0) {
                placer.ledger().audit();
                check(placer.ledger(), told);
            }
        }
        tickets.forEach(placer::leave);
        placer.ledger().audit();
        assertEquals(0, placer.ledger().cluster().used());
    }

    /** Adds up by itself what everybody has of each device of the first node. */
    private static void check(Ledger ledger, String told) {
        Cluster cluster = ledger.cluster();
        for (int device = 0; device < cluster.end(0); device++) {
            int compute = 0;
            int burst = 0;
            int slices = 0;
            int others = 0;
            for (int ticket : ledger.on(0)) {
                if ((ledger.devices(ticket) >>> device & 1) == 0) {
                    continue;
                }
                Share share = ledger.job(ticket).request().share();
                Part part = share.part();
                if (part == null) {
                    others++;
                    compute += share.thousandths();
                    burst += share.burst();
                } else {
                    assertEquals(0, slices & part.mask(), told);
                    assertTrue((part.starts() >>> part.start() & 1) == 1, told);
                    slices |= part.mask();
                }
            }
            assertTrue(slices == 0 || others == 0, told + ": divided and shared");
            assertTrue(compute <= 1000 && compute + burst <= 1500, told);
            assertEquals(slices == 0 ? 1000 - compute : 0, cluster.free(device), told);
        }
    }
}
