package facet.node.placing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.sched.Terms;
import facet.slices.DeviceSet;
import facet.slices.Slice;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlacementTest {
    private static final long GIB = 1L << 30;
    private static final Instant NOW = Instant.parse("2026-11-18T11:00:00Z");

    private final List<Slice> open = new ArrayList<>();
    private List<Long> memories = List.of(8 * GIB, 4 * GIB);

    private List<Placement.Room> node() {
        List<Placement.Room> rooms = new ArrayList<>();
        for (int i = 0; i < memories.size(); i++) {
            int device = i;
            rooms.add(
                    new Placement.Room(
                            memories.get(i),
                            open.stream()
                                    .filter(each -> each.devices().numbers().contains(device))
                                    .toList()));
        }
        return rooms;
    }

    private String place(String name, long memory, int count, Terms terms) {
        return place(new Slice(name, memory, count, terms));
    }

    /** Where it is now, or why it is not. */
    private String place(Slice wanted) {
        return switch (Placement.of(wanted, node(), NOW)) {
            case Placement.Placed placed -> {
                open.add(placed.slice());
                yield placed.slice().devices().text();
            }
            case Placement.Refused refused -> refused.why();
        };
    }

    @Test
    void slicesSpreadByWhatIsPromisedOfMemory() {
        assertEquals("0", place("a", 3 * GIB, 1, Terms.REST)); // 37% there, 75% on the other
        assertEquals("1", place("b", 3 * GIB, 1, Terms.REST)); // 75% on both, nobody there yet
        assertEquals("0", place("c", 4 * GIB, 1, Terms.REST));
        assertEquals("1", place("d", GIB, 1, Terms.REST)); // 100% on both: no reason
        assertEquals("0", place("e", 5 * GIB, 1, Terms.REST)); // only one has so much
    }

    @Test
    void slicesSpreadByWhatIsPromisedOfTime() {
        memories = List.of(GIB, GIB, GIB);
        assertEquals("0", place("a", 1 << 20, 1, Terms.fixed(60)));
        assertEquals("1", place("b", 1 << 20, 1, Terms.burst(50)));
        assertEquals("2", place("c", 1 << 20, 1, Terms.burst(30)));
        assertEquals("2", place("d", 1 << 20, 1, Terms.burst(30)));
        assertEquals("0,1", place("e", 1 << 20, 2, Terms.burst(40))); // fewer slices than on 2
    }

    @Test
    void theDefaultSliceSaysNothingAboutADevice() {
        assertEquals("0,1", place(Slice.DEFAULT, Slice.ALL_MEMORY, 2, Terms.REST));
        assertEquals(8 * GIB, open.getFirst().memory());
        assertEquals("0", place("a", GIB, 1, Terms.REST));
    }

    @Test
    void memoryThatNobodyNamedIsAllOfTheDevice() {
        assertEquals("0", place("a", Slice.ALL_MEMORY, 1, Terms.REST));
        assertEquals("1", place("b", Slice.ALL_MEMORY, 1, Terms.REST));
        assertEquals(List.of(8 * GIB, 4 * GIB), open.stream().map(Slice::memory).toList());
    }

    @Test
    void namedDevicesAreTakenAsTheyAre() {
        Slice wanted = new Slice("a", GIB, 1, Terms.fixed(60));
        assertEquals("1", place(wanted.withDevices(DeviceSet.parse("1"))));
        assertEquals("0,1", place("b", GIB, 2, Terms.fixed(30)));
        String refused = place(wanted.withName("c").withDevices(DeviceSet.parse("1")));
        assertTrue(
                refused.startsWith(
                        "slice 'c' with 1GiB of memory fits on none of the devices that it names:"
                                + " 150% of device 1 would be promised: a 60%, c 60%, b 30%;"),
                refused);
        assertEquals(
                "slice 'c' would be on device 2, and there are devices 0 to 1; start the daemon with more"
                        + " --devices",
                place(wanted.withName("c").withDevices(DeviceSet.parse("2"))));
    }

    @Test
    void aRefusalSaysWhatIsMissingOnEachDevice() {
        place("a", GIB, 2, Terms.fixed(80));
        String refused = place("b", 6 * GIB, 1, Terms.fixed(30));
        assertTrue(
                refused.startsWith(
                        "slice 'b' with 6GiB of memory fits on none of the devices: 110% of device"
                                + " 0 would be promised: a 80%, b 30%;"),
                refused);
        assertTrue(refused.endsWith("; device 1 has 4GiB"), refused);
        assertEquals(
                "slice 'c' would have 3 devices, and there are 2; start the daemon with more --devices",
                place("c", GIB, 3, Terms.REST));
    }

    @Test
    void promisesOfTimeDoNotKeepAwayWhatWasThereBefore() {
        place("a", GIB, 2, Terms.fixed(80));
        Slice wanted = new Slice("b", GIB, 1, Terms.fixed(30));
        assertTrue(Placement.again(wanted, node(), NOW) instanceof Placement.Placed);
        Slice large = new Slice("b", 9 * GIB, 1, Terms.fixed(30));
        assertTrue(Placement.again(large, node(), NOW) instanceof Placement.Refused);
    }

    /** Sizes of real devices are no whole MiB. */
    @Test
    void aByteTooMuchIsTooMuch() {
        long odd = 4 * GIB + 12345;
        memories = List.of(odd, GIB);
        assertEquals("0", place("a", odd, 1, Terms.REST));
        assertEquals("0", place("b", odd, 1, Terms.REST)); // promised twice
        String refused = place("c", odd + 1, 1, Terms.REST);
        assertTrue(refused.contains("device 0 has 4294979641"), refused);
        assertTrue(place("d", Long.MAX_VALUE - 1, 1, Terms.REST).contains("fits on none"));
        assertEquals("1", place("e", 1, 1, Terms.REST));
        assertEquals("0,1", place("f", Slice.ALL_MEMORY, 2, Terms.fixed(100)));
        assertTrue(place("g", 1, 1, Terms.fixed(1)).contains("101% of device 0"));
    }

    @Test
    void oneDeviceIsNotNumbered() {
        memories = List.of(4 * GIB);
        assertEquals("0", place("a", GIB, 1, Terms.fixed(80)));
        assertTrue(
                place("b", GIB, 1, Terms.fixed(30))
                        .startsWith("110% of the device would be promised: a 80%, b 30%;"));
        assertEquals(
                "slice 'c' would have 5GiB of memory, and a device has 4GiB; ask for less, or start"
                        + " the daemon with more --memory",
                place("c", 5 * GIB, 1, Terms.REST));
    }

    @Test
    void setsOfDevicesAreWrittenInOneWay() {
        assertEquals("0,2,11", DeviceSet.parse(" 11, 0,2 ").text());
        assertEquals(DeviceSet.first(2), DeviceSet.parse("1,0"));
        for (String wrong : List.of("", "a", "1,", "1,1", "-1", "99999", "1024", "0 1")) {
            assertThrows(IllegalArgumentException.class, () -> DeviceSet.parse(wrong), wrong);
        }
    }
}
