package facet.node.placing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.sched.Calendar;
import facet.sched.Policy;
import facet.sched.Terms;
import facet.slices.DeviceSet;
import facet.slices.Slice;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExplanationTest {
    private static final long GIB = 1L << 30;
    private static final Instant NOW = Instant.parse("2026-11-18T11:00:00Z");

    private static Slice slice(String name, long memory, Terms terms) {
        return new Slice(name, memory, 1, terms);
    }

    private static Placement.Room room(long memory, int... promised) {
        List<Slice> slices =
                java.util.Arrays.stream(promised)
                        .mapToObj(each -> slice("s" + each, GIB, Terms.fixed(each)))
                        .toList();
        return new Placement.Room(memory, slices);
    }

    @Test
    void devicesThatLackTheSameAreToldTogether() {
        List<Placement.Room> node =
                List.of(room(8 * GIB, 80), room(8 * GIB, 75), room(8 * GIB, 90), room(GIB));
        Explanation why = Explanation.of(slice("a", 4 * GIB, Terms.fixed(30)), node, NOW);
        assertEquals(0, why.fits());
        assertEquals(List.of(), why.chosen());
        assertEquals(
                List.of(
                        "1 device has less than 4 GiB of device memory free: the most is 1 GiB",
                        "3 devices have the memory, but no 300/1000 of compute: the largest rest"
                                + " is 250"),
                why.summary());
        assertEquals(
                "has the memory, but no 300/1000 of compute: the largest rest is 200",
                why.devices().getFirst().words());
        assertTrue(why.why().contains("device 3 has 1GiB"), why.why());
    }

    @Test
    void whatFitsSaysWhereAndWhy() {
        List<Placement.Room> node = List.of(room(8 * GIB, 60), room(8 * GIB, 20), room(8 * GIB));
        Explanation why = Explanation.of(slice("a", GIB, Terms.fixed(50)), node, NOW);
        assertEquals(2, why.fits());
        assertEquals(List.of(2), why.chosen());
        assertTrue(why.why().startsWith("least promised: device 2: "), why.why());
        assertEquals(Explanation.Lack.TIME, why.devices().getFirst().lack());
        assertEquals(GIB, why.devices().getFirst().memoryPromised());
    }

    @Test
    void devicesThatItDoesNotNameAreNoneOfItsBusiness() {
        Slice named = slice("a", GIB, Terms.fixed(50)).withDevices(DeviceSet.of(List.of(1)));
        Explanation why = Explanation.of(named, List.of(room(GIB), room(GIB, 60)), NOW);
        assertEquals(0, why.fits());
        assertEquals("is not what it asks for: it names device 1", why.devices().get(0).words());
        assertEquals(Explanation.Lack.TIME, why.devices().get(1).lack());
    }

    /** At 11 all of it is free; at night it is not. */
    @Test
    void theTightestMomentOfTheWeekCounts() {
        Calendar night = Calendar.parse("daily 22:00-06:00 90", ZoneId.of("UTC"));
        Terms tidal = new Terms(Policy.TIDAL, 10, 0, Terms.DEFAULT_TURN, night, 0);
        Placement.Room room = new Placement.Room(GIB, List.of(slice("n", GIB, tidal)));
        Explanation why = Explanation.of(slice("a", GIB, Terms.fixed(30)), List.of(room), NOW);
        assertEquals(10, why.devices().getFirst().timeRest());
        assertEquals(0, why.fits());
        // Its own share is small when the other's is large.
        Calendar day = Calendar.parse("daily 06:00-22:00 90", ZoneId.of("UTC"));
        Terms other = new Terms(Policy.TIDAL, 10, 0, Terms.DEFAULT_TURN, day, 0);
        assertEquals(1, Explanation.of(slice("d", GIB, other), List.of(room), NOW).fits());
    }
}
