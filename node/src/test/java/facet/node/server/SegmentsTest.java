package facet.node.server;

import static facet.node.server.Patience.await;
import static facet.node.server.SegmentCalls.GRANULE;
import static facet.node.server.SegmentCalls.PLACE;
import static facet.node.server.SegmentCalls.READ;
import static facet.node.server.SegmentCalls.STAGED;
import static facet.node.server.SegmentCalls.answers;
import static facet.node.server.SegmentCalls.client;
import static facet.node.server.SegmentCalls.finishes;
import static facet.node.server.SegmentCalls.get;
import static facet.node.server.SegmentCalls.make;
import static facet.node.server.SegmentCalls.map;
import static facet.node.server.SegmentCalls.succeeds;
import static org.junit.jupiter.api.Assertions.assertEquals;

import facet.abi.Command;
import facet.abi.Copy;
import facet.abi.Fill;
import facet.abi.Read;
import facet.abi.Result;
import facet.abi.SegmentAccess;
import facet.abi.SegmentCreate;
import facet.abi.SegmentMap;
import facet.abi.SegmentRelease;
import facet.abi.SegmentShare;
import facet.abi.SegmentUnmap;
import facet.abi.Write;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory at addresses of the client's choice. */
@Timeout(300)
class SegmentsTest {
    @ParameterizedTest
    @EnumSource(
            value = TestNode.Wall.class,
            names = {"NONE", "PROCESS", "CONFINED"})
    @DisabledIfSystemProperty(named = "facet.far", matches = "true")
    void kernelsAndCopiesReachWhatIsMapped(TestNode.Wall wall) throws Exception {
        try (TestNode node = new TestNode(wall)) {
            SliceServer slice = node.slice("one");
            try (TestClient client = client(slice)) {
                long before = client.taken();
                make(client, 7, PLACE);
                assertEquals(before + GRANULE, client.taken());
                client.launch(0, 0, 1, 32, PLACE + 64, 32, 5);
                client.post(new Fill(PLACE, 4, 1, 1, 9, 4, 0));
                client.post(new Copy(PLACE + GRANULE - 8, PLACE, 8, 0));
                client.post(new Write(PLACE + 1024, 0, new byte[] {1, 0, 0, 0}));
                finishes(client);
                assertEquals(5, get(client, PLACE + 64));
                assertEquals(9, get(client, PLACE + GRANULE - 8));
                assertEquals(1, get(client, PLACE + 1024));
                succeeds(client, new SegmentRelease(7, 0));
                assertEquals(9, get(client, PLACE));
                succeeds(client, new SegmentUnmap(PLACE, GRANULE));
                assertEquals(before, client.taken());
                client.launch(0, 0, 1, 32, PLACE, 32, 5);
                assertEquals(Result.ERROR_ILLEGAL_ADDRESS, client.synchronize(0));
            }
        }
    }

    /** In the process they lie in the other order: one kernel, one copy over both. */
    @Test
    @DisabledIfSystemProperty(named = "facet.far", matches = "true")
    void whatIsMappedSideBySideIsOne() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            try (TestClient client = client(slice)) {
                make(client, 1, PLACE + GRANULE);
                make(client, 2, PLACE);
                long border = PLACE + GRANULE;
                client.post(new Fill(PLACE, 2 * GRANULE, 2 * GRANULE / 4, 1, 3, 4, 0));
                client.launch(0, 0, 32, 32, border - 2044, 1024, 4);
                finishes(client);
                assertEquals(7, get(client, border - 4));
                assertEquals(7, get(client, border));
                assertEquals(3, get(client, border + 2056));
                // Behind an unmapped one nothing is one any more.
                succeeds(client, new SegmentUnmap(border, GRANULE));
                assertEquals(7, get(client, border - 4));
                answers(
                        Result.ERROR_INVALID_VALUE,
                        client,
                        new Read(TestClient.BASE + STAGED, border - 4, 8, 0));
                client.launch(0, 0, 32, 32, border - 2044, 1024, 4);
                assertEquals(Result.ERROR_ILLEGAL_ADDRESS, client.synchronize(0));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"kernel", "fill", "copy", "write", "none"})
    @DisabledIfSystemProperty(named = "facet.far", matches = "true")
    void rightsAreObeyed(String how) throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            try (TestClient client = client(slice)) {
                succeeds(client, new SegmentCreate(GRANULE, 1, 0));
                map(client, 1, PLACE, how.equals("none") ? 0 : READ);
                if (!how.equals("none")) {
                    assertEquals(0, get(client, PLACE));
                }
                long own = client.allocate(0, 4096);
                switch (how) {
                    case "kernel" -> client.launch(0, 0, 1, 32, PLACE, 32, 5);
                    case "fill" -> client.post(new Fill(PLACE, 4, 1, 1, 9, 4, 0));
                    case "copy" -> client.post(new Copy(PLACE, own, 8, 0));
                    case "write" -> client.post(new Write(PLACE, 0, new byte[4]));
                    default -> client.post(new Copy(own, PLACE, 8, 0));
                }
                assertEquals(Result.ERROR_ILLEGAL_ADDRESS, client.synchronize(0));
            }
        }
    }

    @Test
    @DisabledIfSystemProperty(named = "facet.far", matches = "true")
    void nothingOfItIsHadTwice() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one", 16 << 20);
            try (TestClient client = client(slice);
                    TestClient other = client(slice)) {
                long left = client.limit() - client.taken();
                int count = (int) (left / GRANULE);
                for (int i = 0; i < count; i++) {
                    succeeds(i % 2 == 0 ? client : other, new SegmentCreate(GRANULE, i, 0));
                }
                answers(Result.ERROR_OUT_OF_MEMORY, client, new SegmentCreate(GRANULE, count, 0));
                SegmentName name = SegmentName.of(client.call(new SegmentShare(0, 0)));
                long taken = client.taken();
                succeeds(other, name.open(100, false));
                assertEquals(taken, client.taken()); // it counts once
                succeeds(client, new SegmentRelease(0, 0));
                assertEquals(taken, client.taken());
                succeeds(other, new SegmentRelease(100, 0));
                assertEquals(taken - GRANULE, client.taken());
                succeeds(client, new SegmentCreate(GRANULE, 0, 0));
            }
        }
    }

    @Test
    @DisabledIfSystemProperty(named = "facet.far", matches = "true")
    void whatMakesNoSenseIsRefused() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            try (TestClient client = client(slice)) {
                make(client, 1, PLACE);
                long most = Long.MAX_VALUE / GRANULE * GRANULE;
                Command[] wrong = {
                    new SegmentCreate(0, 2, 0),
                    new SegmentCreate(-GRANULE, 2, 0),
                    new SegmentCreate(GRANULE + 4096, 2, 0),
                    new SegmentMap(PLACE, 0, GRANULE, 1),
                    new SegmentMap(PLACE + GRANULE, GRANULE, GRANULE, 1),
                    new SegmentMap(PLACE + GRANULE, -GRANULE, GRANULE, 1),
                    new SegmentMap(PLACE + GRANULE, most, GRANULE, 1),
                    new SegmentMap(PLACE + GRANULE, 0, most, 1),
                    new SegmentMap(PLACE + GRANULE, 0, 0, 1),
                    new SegmentMap(PLACE + GRANULE, 0, GRANULE, 9),
                    new SegmentMap(PLACE + GRANULE + 1, 0, GRANULE, 1),
                    new SegmentMap(0, 0, GRANULE, 1),
                    new SegmentMap(-GRANULE, 0, GRANULE, 1),
                    new SegmentMap(most, 0, GRANULE, 1),
                    new SegmentMap((1L << 47) - 4096, 0, GRANULE, 1),
                    new SegmentAccess(PLACE, GRANULE / 2, 0, READ),
                    new SegmentAccess(PLACE, 2 * GRANULE, 0, READ),
                    new SegmentAccess(PLACE, -GRANULE, 0, READ),
                    new SegmentAccess(PLACE, GRANULE, 99, READ),
                    new SegmentAccess(PLACE, GRANULE, -1, READ),
                    new SegmentAccess(PLACE, GRANULE, 0, 2),
                    new SegmentAccess(PLACE, GRANULE, 0, 8),
                    new SegmentUnmap(PLACE, GRANULE / 2),
                    new SegmentUnmap(PLACE, 2 * GRANULE),
                    new SegmentUnmap(PLACE + GRANULE, GRANULE),
                    new SegmentUnmap(PLACE, most),
                    new SegmentUnmap(PLACE, 0),
                    new SegmentRelease(77, 0),
                    new SegmentShare(0, 77),
                    new SegmentShare(PLACE, 3),
                    new SegmentShare(TestClient.BASE + STAGED, 3),
                };
                for (Command each : wrong) {
                    answers(Result.ERROR_INVALID_VALUE, client, each);
                }
                answers(Result.ERROR_OUT_OF_MEMORY, client, new SegmentCreate(most, 2, 0));
                answers(Result.ERROR_INVALID_DEVICE, client, new SegmentCreate(GRANULE, 2, 9));
                assertEquals(0, get(client, PLACE));
            }
        }
    }

    /** Programs come and go without letting go of anything. */
    @Test
    @DisabledIfSystemProperty(named = "facet.far", matches = "true")
    void whatIsLeftBehindGoes() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            try (TestClient last = client(slice)) {
                long before = last.taken();
                for (int i = 0; i < 20; i++) {
                    try (TestClient client = client(slice)) {
                        make(client, 1, PLACE);
                        make(client, 2, PLACE + 4 * GRANULE);
                        map(client, 1, PLACE + GRANULE, READ);
                        client.load(1, Kernels.LOOP);
                        client.launchOf(1, 0, 0, 1, 1, PLACE, 1L << 60);
                        client.post(new Fill(PLACE, 4, 1, 1, 9, 4, 0));
                    }
                }
                await(() -> last.taken() == before, "all is given back");
            }
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "facet.far", matches = "true")
    void memoryThatCannotBeMappedSaysSo() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            try (TestClient client = client(slice)) {
                answers(Result.ERROR_NOT_SUPPORTED, client, new SegmentCreate(GRANULE, 1, 0));
                long cells = client.allocate(0, 4096);
                answers(Result.ERROR_NOT_SUPPORTED, client, new SegmentShare(cells, 1));
            }
        }
    }
}
