package facet.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.Result;
import facet.device.Device;
import facet.device.cpu.CpuDevice;
import facet.log.Log;
import facet.node.slice.SliceFolder;
import facet.pool.link.Link;
import facet.pool.link.LinkFigures;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What travels for programs whose device is on another node. */
@Timeout(300)
final class RelayedBytesTest {
    private static final int BYTES = 8 << 20;
    private static final int MOST_ROUND_TRIPS = 3;

    private final TestNode node = new TestNode(TestNode.Wall.NONE);
    private final Path folder = Files.createTempDirectory("facet-near");
    private final Device described =
            CpuDevice.create(CpuDevice.profile("Test GPU", 1L << 30, 2), 2);
    private final Log log = new Log(System.err, Log.Level.WARNING);

    RelayedBytesTest() throws Exception {}

    @AfterEach
    void close() throws Exception {
        described.close();
        node.close();
        SliceFolder.delete(folder);
    }

    private SliceServer near(TestRelay relay) throws Exception {
        return relay.slice(node.slice("one"), List.of(described), folder, node.events());
    }

    /** A program that uploads, and looks whether it is there; says what that took. */
    private static LinkFigures upload(SliceServer near, TestRelay relay, byte[] data)
            throws Exception {
        try (TestClient client = TestClient.withContext(near)) {
            client.allocate(0, BYTES);
            client.write(0, MemorySegment.ofArray(data));
            assertEquals(
                    -1, client.read(0, BYTES).mismatch(MemorySegment.ofArray(data)), "its data");
        }
        return used(relay);
    }

    /** The link that a program used last; another one waits for the next program. */
    private static LinkFigures used(TestRelay relay) {
        LinkFigures last = LinkFigures.NONE;
        for (Link each : relay.links()) {
            last = each.figures().roundTrips() > 0 ? each.figures() : last;
        }
        return last;
    }

    private static byte[] random(long seed) {
        byte[] data = new byte[BYTES];
        new Random(seed).nextBytes(data);
        return data;
    }

    @Test
    void theSecondStartSendsTags() throws Exception {
        try (TestRelay relay = new TestRelay(0, log);
                SliceServer near = near(relay)) {
            byte[] data = random(1);
            LinkFigures first = upload(near, relay, data);
            assertTrue(first.received() > BYTES, first.toString());
            LinkFigures second = upload(near, relay, data);
            assertTrue(second.plainReceived() > BYTES, second.toString());
            assertTrue(second.received() * 100 < second.plainReceived(), second.toString());
            assertEquals(BYTES, relay.store().bytes());
        }
    }

    /** What was pushed out is asked for, and comes. */
    @Test
    void whatIsNotKeptAnyMoreIsSentAgain() throws Exception {
        try (TestRelay relay = new TestRelay(0, BYTES / 4, log);
                SliceServer near = near(relay)) {
            byte[] data = random(2);
            for (int i = 0; i < 3; i++) {
                assertTrue(upload(near, relay, data).received() > BYTES / 2, "start " + i);
                assertTrue(relay.store().bytes() <= BYTES / 4);
            }
            assertTrue(relay.store().found()[1] > 0, "nothing was missing");
        }
    }

    @Test
    void zerosDoNotTravel() throws Exception {
        try (TestRelay relay = new TestRelay(0, log);
                SliceServer near = near(relay)) {
            LinkFigures figures = upload(near, relay, new byte[BYTES]);
            assertTrue(figures.received() < BYTES / 100, figures.toString());
            assertTrue(figures.sent() < BYTES / 100, figures.toString());
        }
    }

    /** A context, a module, the first wait: from the first command to the first result. */
    @Test
    void aStartTakesThreeRoundTrips() throws Exception {
        try (TestRelay relay = new TestRelay(0, log);
                SliceServer near = near(relay)) {
            try (TestClient client = TestClient.withContext(near)) {
                long cells = client.allocate(0, 4096);
                assertEquals(Result.SUCCESS, client.load(0, Kernels.ADD).result());
                for (int i = 0; i < 100; i++) {
                    client.launch(0, 0, 1, 32, cells, 32, 1);
                }
                assertEquals(Result.SUCCESS, client.synchronize(0));
                assertEquals(MOST_ROUND_TRIPS, used(relay).roundTrips());
                assertEquals(100, client.get(0));
            }
        }
    }
}
