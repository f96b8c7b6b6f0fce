package facet.host.residency;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.sched.Eviction;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The device's side of room that was lent, with processes that the test plays. */
@Timeout(120)
class RemoteRoomTest {
    private static final long MIB = 1 << 20;
    private static final long DEVICE = 256 * MIB;

    /** Everybody leaves as soon as another one wants to come. */
    private static final Eviction RESTLESS = new Eviction(0, 0, 0);

    private final Residency device = new Residency("test", DEVICE, RESTLESS);

    @AfterEach
    void close() {
        device.close();
    }

    private record Word(long number, long bytes, long lacking, boolean own) {}

    /** A process that says what the test wants. */
    private static final class Worker implements RemoteRoom.Borrower {
        private final String slice;
        private final int priority;
        private final BlockingQueue<Word> words = new LinkedBlockingQueue<>();
        private final CountDownLatch killed = new CountDownLatch(1);

        Worker(String slice, int priority) {
            this.slice = slice;
            this.priority = priority;
        }

        @Override
        public String slice() {
            return slice;
        }

        @Override
        public int priority() {
            return priority;
        }

        @Override
        public boolean lend(long number, long bytes, long lacking, boolean own) {
            return words.add(new Word(number, bytes, lacking, own));
        }

        @Override
        public void kill(String why) {
            killed.countDown();
        }

        Word next() throws InterruptedException {
            Word word = words.poll(60, TimeUnit.SECONDS);
            assertNotNull(word, "nothing was said to " + slice);
            return word;
        }

        /** The next word that is no mere question. */
        Word order(RemoteRoom room, long spare, List<RoomReport.Part> parts)
                throws InterruptedException {
            return order(room, 0, spare, parts);
        }

        Word order(RemoteRoom room, long wants, long spare, List<RoomReport.Part> parts)
                throws InterruptedException {
            long known = room.lent();
            while (true) {
                Word word = next();
                if (word.bytes != known || word.lacking > 0) {
                    return word;
                }
                room.told(new RoomReport(word.number, word.bytes, wants, spare, parts));
            }
        }
    }

    private static RoomReport.Part idle(long bytes, long idleSeconds) {
        long nanos = TimeUnit.SECONDS.toNanos(idleSeconds);
        return new RoomReport.Part(bytes, false, nanos, nanos, false);
    }

    private FakeContext context(long bytes) throws Exception {
        FakeContext context = new FakeContext(device, "here", bytes);
        context.holding.take(0, bytes, true);
        return context;
    }

    private static CompletableFuture<Boolean> fetch(FakeContext context) {
        return CompletableFuture.supplyAsync(
                context::fetch, task -> Thread.ofPlatform().daemon().start(task));
    }

    @Test
    void whoCanHaveAllOfItAsksForNothing() {
        Worker one = new Worker("one", 0);
        Worker two = new Worker("two", 0);
        RemoteRoom first = device.lend(one, 200 * MIB);
        RemoteRoom second = device.lend(two, 200 * MIB);
        assertEquals(200 * MIB, first.lent());
        assertEquals(56 * MIB, second.lent());
        assertEquals(0, device.figures().resident(), "what is lent is not used yet");
        first.used(300 * MIB, 5, Moves.NONE);
        assertEquals(200 * MIB, device.figures().resident(), "nobody uses more than it has");
        first.close();
        assertEquals(200 * MIB, device.free());
        second.promised(100 * MIB);
        assertEquals(100 * MIB, second.lent());
        assertEquals(100 * MIB, two.words.remove().bytes);
        assertTrue(one.words.isEmpty());
    }

    @Test
    void whatAWorkerDoesNotUseIsGivenBackFirst() throws Exception {
        Worker busy = new Worker("busy", 0);
        Worker spares = new Worker("spares", 9);
        RemoteRoom first = device.lend(busy, 128 * MIB);
        RemoteRoom second = device.lend(spares, 128 * MIB);
        try (FakeContext here = context(10 * MIB)) {
            assertEquals(0, here.holding.resident());
            CompletableFuture<Boolean> came = fetch(here);
            Word asked = busy.next();
            assertEquals(128 * MIB, asked.bytes);
            List<RoomReport.Part> parts = List.of(idle(128 * MIB, 9));
            first.told(new RoomReport(asked.number, 128 * MIB, 0, 0, parts));
            Word order = spares.order(second, 100 * MIB, List.of(idle(28 * MIB, 99)));
            // A little more than was needed, and no more than it can spare.
            assertEquals(64 * MIB, order.bytes);
            assertFalse(came.isDone());
            second.told(new RoomReport(order.number, 64 * MIB, 0, 36 * MIB, List.of()));
            assertTrue(came.get(60, TimeUnit.SECONDS));
            assertEquals(54 * MIB, device.free());
            assertEquals(128 * MIB, first.lent());
        }
    }

    @Test
    void priorityAndUseDecideAsInOneProcess() throws Exception {
        Worker low = new Worker("low", 1);
        Worker high = new Worker("high", 5);
        RemoteRoom first = device.lend(high, 128 * MIB);
        RemoteRoom second = device.lend(low, 64 * MIB);
        try (FakeContext here = context(64 * MIB);
                FakeContext more = context(100 * MIB)) {
            assertEquals(64 * MIB, here.holding.resident());
            here.enter();
            here.holding.leave();
            CompletableFuture<Boolean> came = fetch(more);
            Word asked = high.next();
            first.told(
                    new RoomReport(asked.number, 128 * MIB, 0, 0, List.of(idle(128 * MIB, 1000))));
            // The context in this process has priority 0 and goes first; then this one.
            Word order = low.order(second, 0, List.of(idle(64 * MIB, 1)));
            assertEquals(0, order.bytes);
            second.told(new RoomReport(order.number, 0, 0, 0, List.of()));
            assertTrue(came.get(60, TimeUnit.SECONDS));
            assertEquals(0, here.holding.resident());
            assertEquals(128 * MIB, first.lent());
        }
    }

    @Test
    void aWorkerGetsWhatItAsksForInItsTurn() throws Exception {
        Worker one = new Worker("one", 0);
        Worker two = new Worker("two", 0);
        RemoteRoom first = device.lend(one, 256 * MIB);
        RemoteRoom second = device.lend(two, 256 * MIB);
        assertEquals(0, second.lent());
        second.told(new RoomReport(0, 0, 40 * MIB, 0, List.of()));
        Word order = one.order(first, 256 * MIB, List.of());
        assertEquals(192 * MIB, order.bytes);
        first.told(new RoomReport(order.number, 192 * MIB, 0, 0, List.of()));
        Word granted = two.next();
        assertEquals(64 * MIB, granted.bytes, "with what is free anyway");
        second.told(new RoomReport(granted.number, 64 * MIB, 0, 0, List.of()));
        // The first one wants it back; what the second one does not use leaves without a move.
        first.told(new RoomReport(order.number, 192 * MIB, 200 * MIB, 0, List.of()));
        CompletableFuture<Word> back =
                CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return one.order(first, 200 * MIB, 0, List.of());
                            } catch (InterruptedException e) {
                                throw new AssertionError(e);
                            }
                        },
                        task -> Thread.ofPlatform().daemon().start(task));
        order = two.order(second, 24 * MIB, List.of(idle(40 * MIB, 1)));
        assertEquals(40 * MIB, order.bytes);
        second.told(new RoomReport(order.number, 40 * MIB, 0, 0, List.of()));
        assertEquals(216 * MIB, back.get(60, TimeUnit.SECONDS).bytes);
    }

    /** Of its own memory that leaves which does not wait; of others' also what waits. */
    @Test
    void whoWaitsLeavesForOthersAndNotForItself() throws Exception {
        Worker one = new Worker("one", 0);
        Worker two = new Worker("two", 0);
        RemoteRoom first = device.lend(one, 128 * MIB);
        RemoteRoom second = device.lend(two, 192 * MIB);
        long second9 = TimeUnit.SECONDS.toNanos(9);
        RoomReport.Part waits = new RoomReport.Part(100 * MIB, false, second9, second9, true);
        first.told(new RoomReport(0, 128 * MIB, 0, 0, List.of(idle(128 * MIB, 1))));
        List<RoomReport.Part> parts = List.of(waits, idle(28 * MIB, 1));
        second.told(new RoomReport(0, 128 * MIB, 150 * MIB, 0, parts));
        Word order = two.order(second, 150 * MIB, 0, parts);
        assertEquals(new Word(order.number, 100 * MIB, 0, true), order);
        second.told(new RoomReport(order.number, 100 * MIB, 0, 0, List.of(waits)));
        first.told(new RoomReport(0, 128 * MIB, 0, 0, List.of()));
        try (FakeContext here = context(60 * MIB)) {
            CompletableFuture<Boolean> came = fetch(here);
            order = two.order(second, 0, List.of(waits));
            assertEquals(new Word(order.number, 0, 0, false), order);
            second.told(new RoomReport(order.number, 0, 0, 0, List.of()));
            assertTrue(came.get(60, TimeUnit.SECONDS));
        }
    }

    /** As if it never looked at its messages. */
    @Test
    void whoDoesNotAnswerIsKilledAndItsRoomIsFree() throws Exception {
        Worker silent = new Worker("silent", 0);
        RemoteRoom room = device.lend(silent, 256 * MIB);
        try (FakeContext here = context(10 * MIB)) {
            CompletableFuture<Boolean> came = fetch(here);
            assertTrue(silent.killed.await(60, TimeUnit.SECONDS), "it lives on");
            assertFalse(came.isDone());
            assertEquals(256 * MIB, room.lent(), "until it is gone the room is its own");
            room.close();
            assertTrue(came.get(60, TimeUnit.SECONDS));
            room.told(new RoomReport(1, 0, 256 * MIB, 0, List.of()));
            assertEquals(246 * MIB, device.free());
        }
    }

    /** A process that starts: it has a room without bytes, and could not answer. */
    @Test
    void whoHasNotBegunIsInNobodysWay() throws Exception {
        Worker starts = new Worker("starts", 0);
        RemoteRoom room = device.lend(starts, 0);
        try (FakeContext here = context(250 * MIB)) {
            assertTrue(fetch(here).get(60, TimeUnit.SECONDS));
            assertTrue(starts.words.isEmpty());
            room.promised(256 * MIB);
            Word word = starts.next();
            assertEquals(6 * MIB, word.bytes);
            room.told(new RoomReport(word.number, 6 * MIB, 0, 6 * MIB, List.of()));
            assertEquals(6 * MIB, room.lent());
        }
    }

    @Test
    void whoDiesWhileItWaitsIsForgotten() throws Exception {
        Worker one = new Worker("one", 0);
        Worker two = new Worker("two", 0);
        RemoteRoom first = device.lend(one, 256 * MIB);
        RemoteRoom second = device.lend(two, 256 * MIB);
        second.told(new RoomReport(0, 0, 100 * MIB, 0, List.of()));
        Word order = one.order(first, 100 * MIB, List.of());
        second.close();
        first.told(new RoomReport(order.number, order.bytes, 0, 0, List.of()));
        assertEquals(256 * MIB - order.bytes, device.free());
        assertTrue(two.words.isEmpty());
    }

    /**
     * Whatever it says: it gets no more than its slice was promised, and frees what it was told.
     */
    @Test
    void liesCostNobodyElse() throws Exception {
        Worker liar = new Worker("liar", 0);
        RemoteRoom room = device.lend(liar, 128 * MIB);
        long all = Long.MAX_VALUE;
        List<RoomReport.Part> parts = List.of(new RoomReport.Part(all, false, all, all, false));
        room.told(new RoomReport(77, 0, all, all, parts));
        assertEquals(128 * MIB, room.lent());
        assertEquals(128 * MIB, device.free());
        try (FakeContext here = context(200 * MIB)) {
            CompletableFuture<Boolean> came = fetch(here);
            Word order = liar.order(room, all, parts);
            assertEquals(0, order.bytes);
            room.told(new RoomReport(order.number - 1, 0, 0, all, parts));
            assertEquals(128 * MIB, room.lent(), "that was no answer");
            assertFalse(came.isDone());
            room.told(new RoomReport(order.number, 0, 0, all, parts));
            assertTrue(came.get(60, TimeUnit.SECONDS));
            assertEquals(56 * MIB, device.free());
        }
    }

    /** It says that it can move its memory, and keeps it: others leave instead. */
    @Test
    void whoKeepsItsMemoryIsNotCountedOn() throws Exception {
        Worker keeps = new Worker("keeps", 0);
        Worker fair = new Worker("fair", 5);
        RemoteRoom first = device.lend(keeps, 128 * MIB);
        RemoteRoom second = device.lend(fair, 128 * MIB);
        try (FakeContext here = context(10 * MIB)) {
            CompletableFuture<Boolean> came = fetch(here);
            Thread answers =
                    Thread.ofPlatform()
                            .start(() -> {
                                List<RoomReport.Part> parts = List.of(idle(128 * MIB, 5));
                                try {
                                    while (!came.isDone()) {
                                        Word word = keeps.words.poll(10, TimeUnit.MILLISECONDS);
                                        if (word != null) {
                                            first.told(
                                                    new RoomReport(
                                                            word.number, 128 * MIB, 0, 0, parts));
                                        }
                                    }
                                } catch (InterruptedException e) {
                                    Thread.currentThread().interrupt();
                                }
                            });
            Word order = fair.order(second, 0, List.of(idle(128 * MIB, 5)));
            assertTrue(order.bytes < 128 * MIB);
            second.told(new RoomReport(order.number, order.bytes, 0, 0, List.of()));
            assertTrue(came.get(60, TimeUnit.SECONDS));
            answers.join();
            assertEquals(128 * MIB, first.lent());
        }
    }
}
