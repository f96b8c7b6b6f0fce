package facet.node.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.device.cpu.CpuDevice;
import facet.sched.Terms;
import facet.slices.DeviceSet;
import facet.slices.Placement;
import facet.slices.Site;
import facet.slices.Slice;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Which node of a pool a slice goes to. */
class PoolPlacementTest {
    private static final long GIB = 1L << 30;

    private static DeviceNews device(int number, String name, long promised, int rest) {
        return new DeviceNews(
                number,
                new UUID(1, number),
                CpuDevice.profile(name, 8 * GIB, 2),
                List.of(1, 2),
                4 * GIB,
                0,
                promised,
                rest);
    }

    private static PoolPlacement.Candidate node(String name, long away, DeviceNews... devices) {
        return node(name, away, false, devices);
    }

    private static PoolPlacement.Candidate node(
            String name, long away, boolean draining, DeviceNews... devices) {
        return new PoolPlacement.Candidate(
                new NodeNews(
                        name, "10.0.0.1:1", false, draining, 0, 0, List.of(devices), List.of()),
                away);
    }

    private static Slice slice(long memory, Terms terms, String node, String model) {
        return new Slice("x", memory, 1, terms)
                .withDevices(DeviceSet.any(1).at(new Site(node, model)));
    }

    private static Slice placed(Slice wanted, PoolPlacement.Candidate... nodes) {
        return switch (PoolPlacement.of(wanted, List.of(nodes), Instant.EPOCH)) {
            case Placement.Placed placed -> placed.slice();
            case Placement.Refused refused -> throw new AssertionError(refused.why());
        };
    }

    private static String refused(Slice wanted, PoolPlacement.Candidate... nodes) {
        return switch (PoolPlacement.of(wanted, List.of(nodes), Instant.EPOCH)) {
            case Placement.Placed placed -> throw new AssertionError(placed.why());
            case Placement.Refused refused -> refused.why();
        };
    }

    private final PoolPlacement.Candidate busy =
            node("busy", 1000, device(0, "L4", 6 * GIB, 100), device(1, "L4", 5 * GIB, 100));
    private final PoolPlacement.Candidate empty =
            node("empty", 9_000_000, device(0, "A10", GIB, 90));

    @Test
    void theLeastPromisedOrTheNearestOrTheOneThatIsNamed() {
        Slice any = slice(GIB, Terms.REST, "", "");
        assertEquals("empty", placed(any, busy, empty).devices().site().node());
        Slice near = slice(GIB, Terms.REST, Site.NEAREST, "");
        assertEquals("busy", placed(near, busy, empty).devices().site().node());
        assertEquals(List.of(1), placed(near, busy, empty).devices().numbers());
        Slice named = slice(GIB, Terms.REST, "busy", "");
        assertEquals("busy", placed(named, busy, empty).devices().site().node());
        Slice model = slice(GIB, Terms.REST, Site.ANY, "l4");
        assertEquals("busy", placed(model, busy, empty).devices().site().node());
    }

    @Test
    void memoryThatNobodyNamedIsWhatTheNodeGives() {
        Slice all = slice(Slice.ALL_MEMORY, Terms.REST, "", "");
        assertEquals(4 * GIB, placed(all, empty).memory());
        assertEquals(GIB, placed(slice(GIB, Terms.REST, "", ""), empty).memory());
    }

    @Test
    void whatIsMissingIsSaid() {
        assertTrue(refused(slice(5 * GIB, Terms.REST, "", ""), empty).contains("gives 4GiB"));
        assertTrue(refused(slice(GIB, Terms.fixed(95), "", ""), empty).contains("90% of its time"));
        assertTrue(refused(slice(GIB, Terms.REST, "", "H100"), empty).contains("is A10, not H100"));
        assertTrue(refused(slice(GIB, Terms.REST, "none", ""), empty).contains("no node 'none'"));
        assertTrue(
                refused(
                                slice(GIB, Terms.REST, "", ""),
                                node("old", 1, true, device(0, "L4", 0, 100)))
                        .contains("node old drains"));
        assertTrue(refused(slice(GIB, Terms.REST, "", "")).contains("no other node"));
    }

    @Test
    void newsWithoutSenseAreNone() {
        assertThrows(IllegalArgumentException.class, () -> device(-1, "L4", 0, 0));
        assertThrows(IllegalArgumentException.class, () -> device(5000, "L4", 0, 0));
        assertThrows(IllegalArgumentException.class, () -> new NodeNews.Other("a b", "10.0.0.1:1"));
        assertThrows(IllegalArgumentException.class, () -> new NodeNews.Other("a", "a:b:c"));
        assertThrows(IllegalArgumentException.class, () -> PoolAddress.parse("host:70000"));
        assertEquals(PoolAddress.USUAL_PORT, PoolAddress.parse("gpu1").port());
        assertEquals("[fd00::7]:1", PoolAddress.parse("[fd00::7]:1").toString());
    }
}
