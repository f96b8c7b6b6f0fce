package facet.host.residency;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.sched.Eviction;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The side of a process that was lent room; the test lends. */
@Timeout(120)
class LentRoomTest {
    private static final long MIB = 1 << 20;
    private static final Eviction RESTLESS = new Eviction(0, 0, 0);

    private final BlockingQueue<RoomReport> reports = new LinkedBlockingQueue<>();
    private final LentRoom room = new LentRoom(16 * MIB, reports::add);
    private final Residency book = new Residency("test", room, RESTLESS);

    @AfterEach
    void close() {
        book.close();
    }

    private RoomReport next() throws InterruptedException {
        RoomReport report = reports.poll(60, TimeUnit.SECONDS);
        assertNotNull(report, "it says nothing");
        return report;
    }

    private FakeContext context(long bytes, int pattern) throws Exception {
        FakeContext context = new FakeContext(book, "slice", 64 * MIB);
        context.holding.take(0, bytes, true);
        if (context.holding.resident() == bytes) {
            context.write(0, bytes, pattern);
        }
        return context;
    }

    private static CompletableFuture<Boolean> fetch(FakeContext context) {
        return CompletableFuture.supplyAsync(
                context::fetch, task -> Thread.ofPlatform().daemon().start(task));
    }

    @Test
    void whatFitsIsTakenWithoutAWord() throws Exception {
        try (FakeContext one = context(10 * MIB, 1);
                FakeContext two = context(6 * MIB, 2)) {
            assertTrue(one.fetch());
            assertTrue(two.fetch());
            assertEquals(16 * MIB, book.resident());
        }
        assertTrue(reports.isEmpty());
    }

    @Test
    void itAsksOnceForWhatIsMissingAndTakesIt() throws Exception {
        try (FakeContext one = context(10 * MIB, 1);
                FakeContext two = context(10 * MIB, 2)) {
            assertTrue(two.moved);
            CompletableFuture<Boolean> came = fetch(two);
            RoomReport asks = next();
            assertEquals(20 * MIB, asks.wants());
            assertEquals(16 * MIB, asks.holds());
            assertEquals(6 * MIB, asks.spare());
            assertEquals(1, asks.parts().size());
            assertEquals(10 * MIB, asks.parts().getFirst().bytes());
            assertFalse(asks.parts().getFirst().waits());
            room.lent(1, 24 * MIB, 0, false);
            assertTrue(came.get(60, TimeUnit.SECONDS));
            RoomReport answer = next();
            assertEquals(1, answer.number());
            assertEquals(0, answer.wants());
            assertEquals(4 * MIB, answer.spare());
            assertEquals(10 * MIB, one.holding.resident());
        }
    }

    @Test
    void itMovesOutWhatIsTooMuch() throws Exception {
        try (FakeContext one = context(8 * MIB, 1);
                FakeContext two = context(6 * MIB, 2)) {
            assertTrue(two.fetch());
            room.lent(1, 14 * MIB, 0, false);
            assertEquals(14 * MIB, next().holds());
            assertEquals(0, book.figures().moves(), "that was free");
            room.lent(2, 6 * MIB, 0, false);
            RoomReport answer = next();
            assertEquals(6 * MIB, answer.holds());
            assertEquals(2, answer.number());
            assertEquals(0, one.holding.resident(), "used before the other one");
            assertTrue(one.moved);
            CompletableFuture<Boolean> back = fetch(one);
            assertEquals(14 * MIB, next().wants());
            room.lent(3, 14 * MIB, 0, false);
            assertTrue(back.get(60, TimeUnit.SECONDS));
            assertEquals(-1, one.wrong(0, 8 * MIB, 1));
            assertEquals(-1, two.wrong(0, 6 * MIB, 2));
        }
    }

    /** One of the own is to leave for the one that waits. */
    @Test
    void whatIsFreeIsKeptForWhoWaits() throws Exception {
        try (FakeContext one = context(10 * MIB, 1);
                FakeContext two = context(12 * MIB, 2)) {
            CompletableFuture<Boolean> came = fetch(two);
            assertEquals(22 * MIB, next().wants());
            room.lent(1, 6 * MIB, 0, true);
            RoomReport answer = next();
            assertEquals(6 * MIB, answer.holds());
            assertEquals(12 * MIB, answer.wants());
            assertEquals(0, one.holding.resident());
            room.lent(2, 12 * MIB, 0, false);
            assertTrue(came.get(60, TimeUnit.SECONDS));
            assertEquals(12 * MIB, two.holding.resident());
        }
    }

    /** Somebody elsewhere was first. */
    @Test
    void whoWaitsLeavesForOthers() throws Exception {
        try (FakeContext one = context(10 * MIB, 1)) {
            one.holding.take(16 * MIB, 10 * MIB, true);
            CompletableFuture<Boolean> came = fetch(one);
            RoomReport asks = next();
            assertEquals(20 * MIB, asks.wants());
            assertTrue(asks.parts().getFirst().waits());
            room.lent(1, 0, 0, false);
            RoomReport answer = next();
            assertEquals(0, answer.holds());
            assertEquals(20 * MIB, answer.wants());
            room.lent(2, 20 * MIB, 0, false);
            assertTrue(came.get(60, TimeUnit.SECONDS));
            assertEquals(-1, one.wrong(0, 10 * MIB, 1));
        }
    }

    @Test
    void whatCannotMoveIsKept() throws Exception {
        try (FakeContext pinned = new FakeContext(book, "slice", 64 * MIB);
                FakeContext stuck = context(6 * MIB, 3)) {
            pinned.holding.take(0, 5 * MIB, false);
            stuck.touched = true;
            room.lent(1, 4 * MIB, 0, false);
            assertEquals(11 * MIB, next().holds());
            stuck.touched = false;
            assertEquals(11 * MIB, book.resident());
            assertFalse(stuck.moved);
        }
    }

    @Test
    void whenThereWillBeNoRoomWhoWaitsIsTold() throws Exception {
        try (FakeContext big = context(40 * MIB, 1)) {
            CompletableFuture<Boolean> came = fetch(big);
            assertEquals(40 * MIB, next().wants());
            room.lent(1, 16 * MIB, 24 * MIB, false);
            assertFalse(came.get(60, TimeUnit.SECONDS));
            assertTrue(big.logged.contains("no room for its memory"), big.logged);
            assertEquals(0, next().wants());
        }
    }

    @Test
    void whoEndsWhileItWaitsWantsNothingMore() throws Exception {
        FakeContext big = context(40 * MIB, 1);
        CompletableFuture<Boolean> came = fetch(big);
        assertEquals(40 * MIB, next().wants());
        big.ending = true;
        assertFalse(came.get(60, TimeUnit.SECONDS));
        assertEquals(0, next().wants());
        big.close();
    }
}
