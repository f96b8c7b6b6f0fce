package facet.host.residency;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.sched.Eviction;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Managed memory goes where the program says, and its bytes stay where they are. */
@Timeout(120)
class ManagedPlacesTest {
    private static final long MIB = 1 << 20;
    private static final long DEVICE = 32 * MIB;

    /** Who works is never pushed out here, but for what it does not need. */
    private static final Eviction STEADY = new Eviction(Long.MAX_VALUE / 4, 0, 0);

    private final Residency book = new Residency("test", DEVICE, STEADY);

    @AfterEach
    void close() {
        assertEquals(0, book.figures().resident());
        assertEquals(0, book.figures().movedOut());
        book.close();
    }

    private FakeContext managed(long bytes) throws Exception {
        return managed(book, bytes);
    }

    private static FakeContext managed(Residency book, long bytes) throws Exception {
        FakeContext context = new FakeContext(book, "slice", 128 * MIB);
        context.holding.take(0, bytes, false);
        context.write(0, bytes, 5);
        context.working = true;
        return context;
    }

    private void moves(long expected) {
        assertEquals(expected, book.figures().moves());
    }

    private static void bring(FakeContext context, long offset, long bytes) throws Exception {
        CompletableFuture<Boolean> over = new CompletableFuture<>();
        context.holding.toDevice(offset, bytes, () -> over.complete(true));
        over.get(60, TimeUnit.SECONDS);
    }

    @Test
    void itLeavesAndComesBack() throws Exception {
        try (FakeContext one = managed(20 * MIB)) {
            one.holding.toHost(0, 20 * MIB);
            assertEquals(0, one.holding.resident());
            assertEquals(20 * MIB, one.holding.out());
            assertEquals(20 * MIB, book.figures().movedOut());
            assertFalse(one.moved, "the program may touch it");
            assertTrue(one.holding.enter(Reach.EVERYTHING), "kernels reach it");
            one.holding.leave();
            moves(1);
            one.holding.toHost(0, 20 * MIB);
            moves(1);
            bring(one, 0, 20 * MIB);
            moves(2);
            assertEquals(20 * MIB, one.holding.resident());
            assertEquals(0, book.figures().movedOut());
            bring(one, 0, 20 * MIB);
            moves(2);
            assertEquals(-1, one.wrong(0, 20 * MIB, 5));
        }
    }

    @Test
    void partsGoAloneInWholeGrains() throws Exception {
        try (FakeContext one = managed(20 * MIB)) {
            one.holding.toHost(3 * MIB, 6 * MIB); // of 4 to 8
            assertEquals(16 * MIB, one.holding.resident());
            one.holding.toHost(0, 1 * MIB); // too little of a grain
            assertEquals(16 * MIB, one.holding.resident());
            one.holding.toHost(18 * MIB, 2 * MIB); // to the end
            assertEquals(14 * MIB, one.holding.resident());
            bring(one, 7 * MIB, 256); // the grain around it
            assertEquals(16 * MIB, one.holding.resident());
            one.holding.toHost(0, 20 * MIB);
            assertEquals(0, one.holding.resident());
            bring(one, 0, 20 * MIB);
            assertEquals(20 * MIB, one.holding.resident());
            one.holding.toHost(4 * MIB, 8 * MIB);
            one.holding.give(0); // all of its pieces
            assertEquals(0, one.holding.resident());
            assertEquals(0, one.holding.out());
            one.holding.take(0, 1 * MIB, false);
            assertEquals(1 * MIB, one.holding.resident());
        }
    }

    @Test
    void roomIsMadeForWhatIsBrought() throws Exception {
        try (FakeContext one = managed(20 * MIB);
                FakeContext idle = new FakeContext(book, "other", 128 * MIB)) {
            one.holding.toHost(0, 20 * MIB);
            idle.holding.take(0, 24 * MIB, true);
            idle.write(0, 24 * MIB, 9);
            assertEquals(24 * MIB, idle.holding.resident());
            bring(one, 0, 20 * MIB);
            assertEquals(20 * MIB, one.holding.resident());
            assertEquals(0, idle.holding.resident());
            one.holding.toHost(0, 20 * MIB);
            assertTrue(idle.fetch());
            assertEquals(-1, idle.wrong(0, 24 * MIB, 9));
            assertEquals(-1, one.wrong(0, 20 * MIB, 5));
        }
    }

    @Test
    void withoutRoomItStaysAndNobodyIsRefused() throws Exception {
        try (FakeContext one = managed(20 * MIB);
                FakeContext busy = new FakeContext(book, "other", 128 * MIB)) {
            one.holding.toHost(0, 20 * MIB);
            busy.working = true;
            busy.holding.take(0, 24 * MIB, false);
            bring(one, 0, 20 * MIB); // at once: nothing can ever leave
            assertEquals(0, one.holding.resident());
            assertEquals(20 * MIB, one.holding.out());
            assertEquals("", one.logged);
            assertTrue(one.enter(), "kernels reach it where it is");
            one.holding.leave();
            bring(one, 0, 8 * MIB); // so much there is
            assertEquals(8 * MIB, one.holding.resident());
        }
    }

    @Test
    void theWillingLeavesFirstAndForItsOwnContext() throws Exception {
        try (FakeContext one = managed(20 * MIB);
                FakeContext idle = new FakeContext(book, "other", 128 * MIB)) {
            idle.holding.take(0, 8 * MIB, true);
            one.holding.willing(0, 20 * MIB, true);
            one.holding.take(64 * MIB, 10 * MIB, true);
            assertTrue(one.fetch());
            assertEquals(10 * MIB, one.holding.resident());
            assertEquals(8 * MIB, idle.holding.resident(), "nobody else had to leave");
            moves(1);
            one.holding.give(64 * MIB);
            bring(one, 0, 20 * MIB);
            one.holding.willing(0, 20 * MIB, false);
            moves(2);
            idle.holding.take(16 * MIB, 8 * MIB, true);
            assertTrue(one.enter());
            one.holding.leave();
            assertEquals(20 * MIB, one.holding.resident(), "it stays from now on");
        }
    }

    @Test
    void inAWorkerItLeavesBeforeTheLenderIsAsked() throws Exception {
        BlockingQueue<RoomReport> reports = new LinkedBlockingQueue<>();
        LentRoom room = new LentRoom(DEVICE, reports::add);
        Residency lent = new Residency("lent", room, STEADY);
        try (FakeContext one = managed(lent, 20 * MIB)) {
            one.holding.willing(0, 20 * MIB, true);
            one.holding.take(64 * MIB, 24 * MIB, true);
            assertTrue(one.fetch());
            assertEquals(24 * MIB, one.holding.resident());
            assertTrue(reports.isEmpty(), "nobody was asked");
            one.holding.give(64 * MIB);
            bring(one, 0, 20 * MIB);
            // The lender wants most of it back.
            room.lent(7, 2 * MIB, 0, false);
            RoomReport answer = reports.poll(60, TimeUnit.SECONDS);
            assertTrue(answer != null && answer.holds() == 2 * MIB, () -> "" + answer);
            assertEquals(0, one.holding.resident());
        } finally {
            lent.close();
        }
    }

    @Test
    void anyOrderOfHintsKeepsTheBooks() throws Exception {
        long seed = Long.getLong("facet.seed", 20261117);
        Random random = new Random(seed);
        try (FakeContext one = managed(24 * MIB)) {
            for (int i = 0; i < 2000; i++) {
                long offset = random.nextLong(24 * MIB);
                long bytes = random.nextLong(24 * MIB - offset + 1);
                switch (random.nextInt(4)) {
                    case 0 -> one.holding.toHost(offset, bytes);
                    case 1 -> bring(one, offset, bytes);
                    case 2 -> one.holding.willing(offset, bytes, random.nextBoolean());
                    default -> {
                        one.holding.give(0);
                        one.holding.take(0, 24 * MIB, false);
                    }
                }
                long all = one.holding.resident() + one.holding.out();
                assertEquals(24 * MIB, all, "seed " + seed + ", step " + i);
                assertEquals(one.holding.resident(), book.figures().resident());
                assertEquals(one.holding.out(), book.figures().movedOut());
            }
        }
    }
}
