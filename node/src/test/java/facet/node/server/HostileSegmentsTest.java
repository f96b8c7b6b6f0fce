package facet.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.Advise;
import facet.abi.Allocate;
import facet.abi.Command;
import facet.abi.Constants;
import facet.abi.EventCreate;
import facet.abi.EventQuery;
import facet.abi.EventRecord;
import facet.abi.EventShare;
import facet.abi.GraphCondition;
import facet.abi.GraphCreate;
import facet.abi.ModuleLoad;
import facet.abi.Prefetch;
import facet.abi.Result;
import facet.abi.ReturnPages;
import facet.abi.SegmentAccess;
import facet.abi.SegmentCreate;
import facet.abi.SegmentMap;
import facet.abi.SegmentShare;
import facet.abi.StreamQuery;
import facet.abi.StreamWaitEvent;
import facet.ring.Reply;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients do with memory and events that they share, and should not. */
@Timeout(300)
class HostileSegmentsTest {
    private static final long GRANULE = 2L << 20;
    private static final long PLACE = 0x6500_0000_0000L;
    private static final long NOWHERE = 0x10;
    private static final int READ_WRITE = 3;
    private static final int SLOT = Constants.REPLY_SLOTS;

    /** One for which somebody would wait. */
    private static void send(TestClient client, Command command) throws Exception {
        client.ring().offer(command.encode(SLOT, client.sent + 1, 0));
    }

    /**
     * Only copies and fills name what is mapped. Whatever else names it would be done to what lies
     * beside the context's memory.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "return",
                "returnNowhere",
                "pin",
                "allocateAfterFault",
                "prefetch",
                "prefetchNowhere",
                "advise",
                "adviseNowhere",
                "condition",
                "image",
                "answer",
                "twice"
            })
    @DisabledIfSystemProperty(named = "facet.far", matches = "true")
    void whatIsMappedIsNotTheContexts(String what) throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            try (TestClient client = TestClient.withContext(slice);
                    TestClient other = TestClient.withContext(slice)) {
                long cells = other.allocate(0, 4096);
                other.load(0, Kernels.ADD);
                client.load(0, Kernels.WILD);
                for (Command each :
                        new Command[] {
                            new SegmentCreate(GRANULE, 1, 0),
                            new SegmentMap(PLACE, 0, GRANULE, 1),
                            new SegmentAccess(PLACE, GRANULE, 0, READ_WRITE)
                        }) {
                    assertEquals(Result.SUCCESS, client.call(each).result());
                }
                switch (what) {
                    case "return" -> client.post(new ReturnPages(PLACE, GRANULE, GRANULE));
                    case "returnNowhere" -> client.post(new ReturnPages(4096, 4096, 4096));
                    case "pin" -> client.post(new Allocate(PLACE, 4096, Constants.MEMORY_PINNED));
                    case "allocateAfterFault" -> {
                        client.launch(0, 0, 1, 1);
                        assertEquals(Result.ERROR_ILLEGAL_ADDRESS, client.synchronize(0));
                        client.claim(4096);
                        client.post(new Allocate(PLACE, 4096, Constants.MEMORY_DEVICE));
                    }
                    case "prefetch" -> client.post(new Prefetch(PLACE, 4096, 0, 0, 1));
                    case "prefetchNowhere" -> client.post(new Prefetch(NOWHERE, 4096, 0, 0, 0));
                    case "advise" -> client.post(new Advise(PLACE, 4096, 1));
                    case "adviseNowhere" -> client.post(new Advise(NOWHERE, 4096, 1));
                    case "condition" -> {
                        client.post(new GraphCreate(1));
                        byte[] bodies = {1, 0, 0, 0};
                        client.post(new GraphCondition(PLACE, 1, 0, 0, 0, 0, 0, 1, 1, bodies));
                    }
                    case "image" ->
                            send(client, new ModuleLoad(PLACE, 4096, TestClient.BASE, 4096, 5, 0));
                    case "answer" ->
                            send(client, new ModuleLoad(TestClient.BASE, 4096, PLACE, 4096, 5, 0));
                    case "twice" -> send(client, new SegmentCreate(GRANULE, 1, 0));
                    default -> throw new AssertionError(what);
                }
                assertTrue(client.isEnded());
                Patience.await(() -> slice.sessions().size() == 1, "sessions");
                assertTrue(node.log().contains("broke the protocol"), node.log());
                assertFalse(node.log().contains(" error ["), node.log());
                other.launch(0, 0, 1, 32, cells, 32, 1);
                assertEquals(Result.SUCCESS, other.synchronize(0));
                assertEquals(1, other.get(0));
                assertEquals(4096, slice.memoryUsed());
                assertEquals(4096, other.taken());
            }
        }
    }

    /** Whoever waits for an event of another session is killed; that one goes on. */
    @Test
    void whoWaitsForAnotherEndsAllTheSame() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            try (TestClient maker = TestClient.withContext(slice)) {
                long flag = maker.pin(0, 4096);
                maker.load(1, Kernels.SPIN);
                maker.post(new EventCreate(3, Constants.EVENT_NO_TIMING));
                Reply name = maker.call(new EventShare(0, 0, 3, 0));
                long before = maker.taken();
                try (TestClient user = TestClient.withContext(slice)) {
                    assertEquals(
                            Result.SUCCESS,
                            user.call(new EventShare(name.payload()[0], name.payload()[1], 5, 1))
                                    .result());
                    maker.launchOf(1, 0, 0, 1, 1, flag);
                    maker.post(new EventRecord(3, 0));
                    assertEquals(Result.ERROR_NOT_READY, maker.call(new EventQuery(3)).result());
                    user.allocate(0, 1 << 20);
                    user.post(new StreamWaitEvent(0, 5));
                    assertEquals(Result.ERROR_NOT_READY, user.call(new StreamQuery(0)).result());
                }
                Patience.await(() -> slice.sessions().size() == 1, "sessions");
                assertEquals(before, maker.taken());
                assertEquals(Result.ERROR_NOT_READY, maker.call(new EventQuery(3)).result());
                maker.set(0, 1);
                assertEquals(Result.SUCCESS, maker.synchronize(0));
            }
        }
    }

    /** Names of memory are for those who were told: none is like another, or near it. */
    @Test
    @DisabledIfSystemProperty(named = "facet.far", matches = "true")
    void namesAreNoNumbersInARow() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            try (TestClient client = TestClient.withContext(slice)) {
                long high = 0;
                long low = 0;
                for (int i = 1; i <= 8; i++) {
                    assertEquals(
                            Result.SUCCESS, client.call(new SegmentCreate(GRANULE, i, 0)).result());
                    Reply name = client.call(new SegmentShare(0, i));
                    long nextHigh = name.payload()[0];
                    long nextLow = name.payload()[1];
                    // Of 128 bits that are chance fewer than 16 differ once in 10^17 pairs.
                    int different = Long.bitCount(high ^ nextHigh) + Long.bitCount(low ^ nextLow);
                    assertTrue(different >= 16, "names differ in " + different + " bits");
                    high = nextHigh;
                    low = nextLow;
                }
            }
        }
    }

    /**
     * One segment in thousands of places, and other rights before each launch: each has a list of
     * all of them, and none of the launches begins.
     */
    @Test
    @DisabledIfSystemProperty(named = "facet.far", matches = "true")
    void listsOfWhatIsMappedDoNotPileUp() throws Exception {
        int places = 4000;
        int launches = 200;
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            try (TestClient client = TestClient.withContext(slice)) {
                long flag = client.pin(0, 4096);
                client.load(0, Kernels.SPIN);
                assertEquals(
                        Result.SUCCESS, client.call(new SegmentCreate(GRANULE, 1, 0)).result());
                for (int i = 0; i < places; i++) {
                    long place = PLACE + 2L * i * GRANULE;
                    client.call(new SegmentMap(place, 0, GRANULE, 1));
                    client.call(new SegmentAccess(place, GRANULE, 0, READ_WRITE));
                }
                client.launch(0, 0, 1, 1, flag);
                Thread flood =
                        Thread.ofPlatform()
                                .start(() -> {
                                    try {
                                        for (int i = 0; i < launches; i++) {
                                            client.call(
                                                    new SegmentAccess(
                                                            PLACE, GRANULE, 0, 1 + 2 * (i % 2)));
                                            client.launch(0, 0, 1, 1, flag);
                                        }
                                    } catch (Exception e) {
                                        throw new AssertionError(e);
                                    }
                                });
                assertFalse(flood.join(Duration.ofSeconds(5)), "all of them were taken");
                client.set(0, 1);
                flood.join();
                assertEquals(Result.SUCCESS, client.synchronize(0));
            }
        }
    }
}
