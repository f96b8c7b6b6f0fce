package facet.node.server;

import static facet.node.server.Patience.await;
import static facet.node.server.SegmentCalls.GRANULE;
import static facet.node.server.SegmentCalls.PLACE;
import static facet.node.server.SegmentCalls.READ_WRITE;
import static facet.node.server.SegmentCalls.STAGED;
import static facet.node.server.SegmentCalls.add;
import static facet.node.server.SegmentCalls.answers;
import static facet.node.server.SegmentCalls.client;
import static facet.node.server.SegmentCalls.finishes;
import static facet.node.server.SegmentCalls.get;
import static facet.node.server.SegmentCalls.make;
import static facet.node.server.SegmentCalls.map;
import static facet.node.server.SegmentCalls.succeeds;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.Constants;
import facet.abi.EventCreate;
import facet.abi.EventQuery;
import facet.abi.EventRecord;
import facet.abi.EventShare;
import facet.abi.EventSynchronize;
import facet.abi.Free;
import facet.abi.Result;
import facet.abi.SegmentAccess;
import facet.abi.SegmentMap;
import facet.abi.SegmentRelease;
import facet.abi.SegmentShare;
import facet.abi.SegmentUnmap;
import facet.abi.StreamQuery;
import facet.abi.StreamWaitEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Memory and events that sessions of a slice have in common. */
@Timeout(300)
class SharedSegmentsTest {
    @ParameterizedTest
    @EnumSource(
            value = TestNode.Wall.class,
            names = {"NONE", "PROCESS"})
    @DisabledIfSystemProperty(named = "facet.far", matches = "true")
    void anotherSessionHasItWhenItsMakerIsGone(TestNode.Wall wall) throws Exception {
        try (TestNode node = new TestNode(wall)) {
            SliceServer slice = node.slice("one");
            try (TestClient user = client(slice)) {
                long before = user.claimed();
                try (TestClient maker = client(slice)) {
                    make(maker, 1, PLACE);
                    add(maker, PLACE, 5);
                    SegmentName name = SegmentName.of(maker.call(new SegmentShare(0, 1)));
                    succeeds(user, name.open(4, false));
                    map(user, 4, PLACE + 8 * GRANULE, READ_WRITE);
                    add(user, PLACE + 8 * GRANULE, 6);
                    assertEquals(11, get(maker, PLACE));
                    assertEquals(before, user.claimed());
                }
                await(() -> user.claimed() == before + GRANULE, "who is left pays");
                await(() -> user.taken() == before + GRANULE, "who is left pays");
                add(user, PLACE + 8 * GRANULE, 7);
                assertEquals(18, get(user, PLACE + 8 * GRANULE));
                succeeds(user, new SegmentRelease(4, 0));
                succeeds(user, new SegmentUnmap(PLACE + 8 * GRANULE, GRANULE));
                assertEquals(before, user.taken());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = TestNode.Wall.class,
            names = {"NONE", "PROCESS"})
    @DisabledIfSystemProperty(named = "facet.far", matches = "true")
    void anAllocationStaysWhileOthersHaveItOpen(TestNode.Wall wall) throws Exception {
        try (TestNode node = new TestNode(wall)) {
            SliceServer slice = node.slice("one");
            try (TestClient user = client(slice)) {
                long before = user.claimed();
                try (TestClient maker = client(slice)) {
                    long cells = maker.allocate(256, 4096);
                    add(maker, cells, 5);
                    SegmentName name = SegmentName.of(maker.call(new SegmentShare(cells, 1)));
                    answers(Result.ERROR_INVALID_HANDLE, user, name.open(4, false));
                    answers(Result.ERROR_INVALID_CONTEXT, maker, name.open(4, true));
                    succeeds(user, name.open(4, true));
                    succeeds(user, new SegmentMap(PLACE, 0, 4096, 4));
                    succeeds(user, new SegmentAccess(PLACE, 4096, 0, READ_WRITE));
                    add(user, PLACE, 6);
                    assertEquals(11, get(maker, cells));
                    answers(Result.ERROR_NOT_READY, maker, new SegmentRelease(1, 1));
                    // An honest client does not free it then.
                    maker.post(new Free(cells));
                    assertTrue(maker.isEnded());
                }
                await(() -> user.claimed() == before + 4096, "who is left pays");
                await(() -> user.taken() == before + 4096, "who is left pays");
                add(user, PLACE, 7);
                assertEquals(18, get(user, PLACE));
                // Beside it there was nothing of the other one's.
                user.launch(0, 0, 1, 32, PLACE + 4096, 32, 7);
                assertEquals(Result.ERROR_ILLEGAL_ADDRESS, user.synchronize(0));
                succeeds(user, new SegmentUnmap(PLACE, 4096));
                succeeds(user, new SegmentRelease(4, 0));
                assertEquals(before, user.taken());
            }
        }
    }

    @Test
    @DisabledIfSystemProperty(named = "facet.far", matches = "true")
    void anotherSliceCannotOpenIt() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            SliceServer strange = node.slice("two");
            try (TestClient maker = client(slice);
                    TestClient stranger = client(strange)) {
                make(maker, 1, PLACE);
                SegmentName name = SegmentName.of(maker.call(new SegmentShare(0, 1)));
                long cells = maker.allocate(256, 256);
                SegmentName own = SegmentName.of(maker.call(new SegmentShare(cells, 2)));
                maker.post(new EventCreate(3, Constants.EVENT_NO_TIMING));
                SegmentName event = SegmentName.of(maker.call(new EventShare(0, 0, 3, 0)));
                answers(Result.ERROR_INVALID_HANDLE, stranger, name.open(1, false));
                answers(Result.ERROR_INVALID_HANDLE, stranger, own.open(1, true));
                answers(Result.ERROR_INVALID_HANDLE, stranger, event.openEvent(5));
                finishes(stranger);
            }
        }
    }

    /** Its event 3, which the user has as 5, waits for a number behind what is staged. */
    private static void recordBehindSpin(TestClient maker, TestClient user) throws Exception {
        maker.post(new EventCreate(3, Constants.EVENT_NO_TIMING));
        SegmentName event = SegmentName.of(maker.call(new EventShare(0, 0, 3, 0)));
        succeeds(user, event.openEvent(5));
        long flag = maker.pin(STAGED + 4096, 4096);
        maker.load(1, Kernels.SPIN);
        maker.launchOf(1, 0, 0, 1, 1, flag);
        maker.post(new EventRecord(3, 0));
        answers(Result.ERROR_NOT_READY, maker, new EventQuery(3));
    }

    @Test
    void anEventIsRecordedByOneAndAwaitedByAnother() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            try (TestClient maker = client(slice);
                    TestClient user = client(slice)) {
                recordBehindSpin(maker, user);
                answers(Result.ERROR_NOT_READY, user, new EventQuery(5));
                long cells = user.allocate(0, 4096);
                user.post(new StreamWaitEvent(0, 5));
                user.launch(0, 0, 1, 32, cells, 32, 5);
                answers(Result.ERROR_NOT_READY, user, new StreamQuery(0));
                maker.set(STAGED + 4096, 1);
                finishes(user);
                succeeds(user, new EventSynchronize(5));
                assertEquals(5, user.get(0));
            }
        }
    }

    /** Who waits for an event of a session that ends goes on. */
    @Test
    void anEventOfASessionThatEndsIsReached() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            try (TestClient user = client(slice)) {
                try (TestClient maker = client(slice)) {
                    recordBehindSpin(maker, user);
                    user.post(new StreamWaitEvent(0, 5));
                }
                finishes(user);
                succeeds(user, new EventSynchronize(5));
            }
        }
    }
}
