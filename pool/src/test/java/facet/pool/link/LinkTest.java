package facet.pool.link;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.pool.identity.NodeIdentity;
import facet.pool.identity.PoolToken;
import facet.testkit.net.Proxy;
import facet.testkit.net.Road;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

@SuppressWarnings("try") // some are closed early
final class LinkTest {
    private static ByteBuffer bytes(int... values) {
        ByteBuffer buffer = ByteBuffer.allocate(values.length);
        for (int each : values) {
            buffer.put((byte) each);
        }
        return buffer.flip();
    }

    @Test
    void bothSidesSendAndKnowWhoTheOtherIs() throws Exception {
        try (TestPool pool = new TestPool(LinkTimes.USUAL)) {
            Inbox inbox = new Inbox();
            try (Link link =
                    Calls.open(pool.caller, pool.server.address(), LinkTimes.USUAL, inbox)) {
                TestPool.Accepted other = pool.next();
                assertEquals("listener", link.peer().node());
                assertEquals("caller", other.link().peer().node());
                link.send(LaneKind.COMMANDS, bytes(1, 2, 3));
                link.send(LaneKind.BULK, bytes());
                other.link().send(LaneKind.COMMANDS, bytes(4));
                other.link().send(LaneKind.BULK, ByteBuffer.allocate(Link.mostBytes()));
                assertArrayEquals(new byte[] {1, 2, 3}, other.inbox().next(LaneKind.COMMANDS));
                assertArrayEquals(new byte[0], other.inbox().next(LaneKind.BULK));
                assertArrayEquals(new byte[] {4}, inbox.next(LaneKind.COMMANDS));
                assertEquals(Link.mostBytes(), inbox.next(LaneKind.BULK).length);
                assertThrows(
                        IllegalArgumentException.class,
                        () -> link.send(LaneKind.BULK, ByteBuffer.allocate(Link.mostBytes() + 1)));
            }
        }
    }

    @Test
    void closingDeliversWhatWasSent() throws Exception {
        try (TestPool pool = new TestPool(LinkTimes.USUAL)) {
            Inbox inbox = new Inbox();
            Link link = Calls.open(pool.caller, pool.server.address(), LinkTimes.USUAL, inbox);
            for (int i = 0; i < 1000; i++) {
                link.send(LaneKind.BULK, ByteBuffer.allocate(5000).putInt(0, i));
            }
            link.close();
            TestPool.Accepted other = pool.next();
            assertEquals(LinkEnd.CLOSED, other.inbox().awaitEnd());
            assertEquals(1000, other.inbox().bulk.size());
            assertEquals(LinkEnd.CLOSED, inbox.awaitEnd());
            LinkException why =
                    assertThrows(LinkException.class, () -> link.send(LaneKind.COMMANDS, bytes(1)));
            assertEquals(LinkEnd.CLOSED, why.end());
            assertTrue(pool.server.links().isEmpty());
        }
    }

    /** The link is cut all the time, in both directions; nothing is lost, doubled or overtaken. */
    @Test
    void messagesArriveOnceAndInOrderOverALinkThatIsCut() throws Exception {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        try (TestPool pool = new TestPool(LinkTimes.USUAL);
                Proxy proxy = Proxy.to(pool.server.address(), Road.PLAIN, seed)) {
            Inbox inbox = new Inbox();
            try (Link link = Calls.open(pool.caller, proxy.address(), LinkTimes.USUAL, inbox)) {
                TestPool.Accepted other = pool.next();
                proxy.cutEvery(Duration.ofMillis(100));
                AtomicReference<@Nullable Throwable> failed = new AtomicReference<>();
                Thread[] senders = {
                    sender(link, LaneKind.COMMANDS, 20_000, seed + 1, failed),
                    sender(link, LaneKind.BULK, 600, seed + 2, failed),
                    sender(other.link(), LaneKind.COMMANDS, 20_000, seed + 3, failed),
                    sender(other.link(), LaneKind.BULK, 600, seed + 4, failed),
                };
                check(other.inbox(), LaneKind.COMMANDS, 20_000, seed + 1);
                check(other.inbox(), LaneKind.BULK, 600, seed + 2);
                check(inbox, LaneKind.COMMANDS, 20_000, seed + 3);
                check(inbox, LaneKind.BULK, 600, seed + 4);
                for (Thread each : senders) {
                    each.join();
                }
                assertEquals(null, failed.get());
                assertTrue(other.inbox().commands.isEmpty() && inbox.bulk.isEmpty());
                System.out.println(
                        proxy.cuts() + " cuts, " + link.figures() + " " + other.link().figures());
                assertTrue(link.figures().resumes() > 0, "it was never cut, seed " + seed);
            }
        }
    }

    private static byte[] message(Random random, LaneKind lane, int number) {
        int most = lane == LaneKind.COMMANDS ? 300 : 200_000;
        byte[] bytes = new byte[4 + random.nextInt(most)];
        random.nextBytes(bytes);
        ByteBuffer.wrap(bytes).putInt(0, number);
        return bytes;
    }

    private static Thread sender(
            Link link,
            LaneKind lane,
            int count,
            long seed,
            AtomicReference<@Nullable Throwable> failed) {
        return Thread.ofPlatform()
                .daemon()
                .start(() -> {
                    Random random = new Random(seed);
                    try {
                        for (int i = 0; i < count; i++) {
                            link.send(lane, ByteBuffer.wrap(message(random, lane, i)));
                            if (lane == LaneKind.COMMANDS && i % 100 == 0) {
                                TimeUnit.MILLISECONDS.sleep(3); // so that cuts come amid them
                            }
                        }
                    } catch (LinkException | InterruptedException e) {
                        failed.set(e);
                    }
                });
    }

    private static void check(Inbox inbox, LaneKind lane, int count, long seed)
            throws InterruptedException {
        Random random = new Random(seed);
        for (int i = 0; i < count; i++) {
            byte[] came = inbox.next(lane);
            assertEquals(i, ByteBuffer.wrap(came).getInt(), lane + ", seed " + seed);
            assertArrayEquals(message(random, lane, i), came, lane + ", seed " + seed);
        }
    }

    /** A receiver of bulk data that takes nothing holds up bulk data, and commands not at all. */
    @Test
    void commandsDoNotWaitBehindBulkData() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        try (TestPool pool =
                new TestPool(
                        LinkTimes.USUAL,
                        () ->
                                new Inbox() {
                                    @Override
                                    public void receive(LaneKind lane, ByteBuffer message)
                                            throws java.io.IOException {
                                        try {
                                            if (lane == LaneKind.BULK) {
                                                gate.await();
                                            }
                                        } catch (InterruptedException e) {
                                            throw new java.io.IOException(e);
                                        }
                                        super.receive(lane, message);
                                    }
                                })) {
            Inbox inbox = new Inbox();
            try (Link link =
                    Calls.open(pool.caller, pool.server.address(), LinkTimes.USUAL, inbox)) {
                TestPool.Accepted other = pool.next();
                CountDownLatch all = new CountDownLatch(100);
                Thread.ofPlatform()
                        .daemon()
                        .start(() -> {
                            try {
                                for (int i = 0; i < 100; i++) {
                                    link.send(LaneKind.BULK, ByteBuffer.allocate(Link.mostBytes()));
                                    all.countDown();
                                }
                            } catch (LinkException | InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                        });
                for (int i = 0; i < 1000; i++) {
                    link.send(LaneKind.COMMANDS, bytes(i));
                    assertEquals((byte) i, other.inbox().next(LaneKind.COMMANDS)[0]);
                }
                // The log is full, and the sender waits.
                assertTrue(all.getCount() >= 100 - LaneKind.BULK.logBytes() / Link.mostBytes());
                assertTrue(other.inbox().bulk.isEmpty());
                gate.countDown();
                assertTrue(all.await(60, TimeUnit.SECONDS));
                for (int i = 0; i < 100; i++) {
                    assertEquals(Link.mostBytes(), other.inbox().next(LaneKind.BULK).length);
                }
            }
        }
    }

    /** Until it is told so; each lane tells, so the same may be told twice. */
    private static void awaitChange(Inbox inbox, boolean connected) throws InterruptedException {
        Boolean told;
        do {
            told = inbox.changes.poll(60, TimeUnit.SECONDS);
            assertNotNull(told, "nobody says that connected is " + connected);
        } while (told != connected);
    }

    @Test
    void aPeerThatIsSilentIsNoticedAndComesBack() throws Exception {
        try (TestPool pool = new TestPool(LinkTimes.USUAL);
                Proxy proxy = Proxy.to(pool.server.address(), Road.PLAIN, 0)) {
            Inbox inbox = new Inbox();
            try (Link link = Calls.open(pool.caller, proxy.address(), LinkTimes.USUAL, inbox)) {
                TestPool.Accepted other = pool.next();
                // A link is open with its first lane; the second one follows.
                awaitChange(inbox, true);
                assertTrue(link.isConnected());
                long begin = System.nanoTime();
                proxy.freeze(true);
                do {
                    awaitChange(inbox, false);
                } while (link.isConnected()); // what the first lane told before the second came
                long millis = (System.nanoTime() - begin) / 1_000_000;
                System.out.println("noticed after " + millis + " ms");
                assertFalse(link.isConnected());
                link.send(LaneKind.COMMANDS, bytes(7));
                proxy.freeze(false);
                assertEquals(7, other.inbox().next(LaneKind.COMMANDS)[0]);
            }
        }
    }

    @Test
    void aLinkThatStaysCutEndsOnBothSides() throws Exception {
        LinkTimes times = LinkTimes.USUAL.withResume(Duration.ofMillis(300));
        try (TestPool pool = new TestPool(times);
                Proxy proxy = Proxy.to(pool.server.address(), Road.PLAIN, 0)) {
            Inbox inbox = new Inbox();
            Link link = Calls.open(pool.caller, proxy.address(), times, inbox);
            TestPool.Accepted other = pool.next();
            proxy.close();
            assertEquals(LinkEnd.LOST, inbox.awaitEnd());
            assertEquals(LinkEnd.LOST, other.inbox().awaitEnd());
            assertThrows(LinkException.class, () -> link.send(LaneKind.COMMANDS, bytes(1)));
            assertTrue(pool.server.links().isEmpty());
        }
    }

    /** What waits for room is told, too. */
    @Test
    void sendersThatWaitForRoomAreToldOfTheEnd() throws Exception {
        LinkTimes times = LinkTimes.USUAL.withResume(Duration.ofMillis(300));
        try (TestPool pool = new TestPool(times);
                Proxy proxy = Proxy.to(pool.server.address(), Road.PLAIN, 0)) {
            Link link = Calls.open(pool.caller, proxy.address(), times, new Inbox());
            proxy.close();
            LinkException why =
                    assertThrows(
                            LinkException.class,
                            () -> {
                                while (true) {
                                    link.send(LaneKind.BULK, ByteBuffer.allocate(1 << 20));
                                }
                            });
            assertEquals(LinkEnd.LOST, why.end());
        }
    }

    /** Another daemon at the same address knows nothing of the link. */
    @SuppressWarnings("ClosingStandardOutputStreams") // a log does not close its stream
    @Test
    void aPeerThatWasStartedAnewHasForgottenTheLink() throws Exception {
        Inbox inbox = new Inbox();
        TestPool pool = new TestPool(LinkTimes.USUAL);
        int port = pool.server.address().getPort();
        Proxy proxy = Proxy.to(pool.server.address(), Road.PLAIN, 0);
        try (proxy) {
            Link link = Calls.open(pool.caller, proxy.address(), LinkTimes.USUAL, inbox);
            proxy.freeze(true); // so that nobody says farewell
            pool.close();
            try (LinkServer next =
                    LinkServer.listen(
                            NodeIdentity.of(pool.token, "listener"),
                            new java.net.InetSocketAddress(TestPool.ANYWHERE.getAddress(), port),
                            LinkTimes.USUAL,
                            _ -> new Inbox(),
                            new facet.log.Log(System.err, facet.log.Log.Level.WARNING))) {
                proxy.cut();
                proxy.freeze(false);
                assertEquals(LinkEnd.FORGOTTEN, inbox.awaitEnd());
                assertTrue(link.isEnded());
                assertTrue(next.links().isEmpty());
            }
        }
    }

    @Test
    void whereNobodyListensThereIsNoLink() throws Exception {
        LinkTimes quick =
                new LinkTimes(
                        Duration.ofMillis(100),
                        Duration.ofMillis(500),
                        Duration.ofSeconds(1),
                        Duration.ofMillis(200));
        TestPool pool = new TestPool(quick);
        pool.close();
        LinkException why =
                assertThrows(
                        LinkException.class,
                        () -> Calls.open(pool.caller, pool.server.address(), quick, new Inbox()));
        assertEquals(LinkEnd.UNREACHABLE, why.end());
    }

    @Test
    void aReceiverThatFindsAViolationEndsTheLink() throws Exception {
        try (TestPool pool =
                new TestPool(
                        LinkTimes.USUAL,
                        () ->
                                new Inbox() {
                                    @Override
                                    public void receive(LaneKind lane, ByteBuffer message)
                                            throws LinkViolation {
                                        throw new LinkViolation("I do not like it");
                                    }
                                })) {
            Inbox inbox = new Inbox();
            Link link = Calls.open(pool.caller, pool.server.address(), LinkTimes.USUAL, inbox);
            link.send(LaneKind.COMMANDS, bytes(1));
            assertEquals(LinkEnd.VIOLATION, pool.next().inbox().awaitEnd());
            assertEquals(LinkEnd.FORGOTTEN, inbox.awaitEnd());
        }
    }

    @Test
    void slowAndLossyRoadsOnlyTakeLonger() throws Exception {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        Road road = Road.ofRoundTrip(Duration.ofMillis(10)).withRate(20_000_000).withLoss(0.01);
        try (TestPool pool = new TestPool(LinkTimes.USUAL);
                Proxy proxy = Proxy.to(pool.server.address(), road, seed)) {
            Inbox inbox = new Inbox();
            try (Link link = Calls.open(pool.caller, proxy.address(), LinkTimes.USUAL, inbox)) {
                AtomicReference<@Nullable Throwable> failed = new AtomicReference<>();
                Thread sender = sender(link, LaneKind.BULK, 50, seed, failed);
                check(pool.next().inbox(), LaneKind.BULK, 50, seed);
                sender.join();
                assertEquals(null, failed.get());
                System.out.println(link.figures());
            }
        }
    }

    @Test
    void strangersAreRefusedInBothDirections() throws Exception {
        try (TestPool pool = new TestPool(LinkTimes.USUAL)) {
            NodeIdentity stranger = NodeIdentity.of(PoolToken.generate(), "caller");
            Throwable why =
                    assertThrows(
                            LinkException.class,
                            () ->
                                    Calls.open(
                                            stranger,
                                            pool.server.address(),
                                            LinkTimes.USUAL,
                                            new Inbox()));
            assertEquals(LinkEnd.REFUSED, assertInstanceOf(LinkException.class, why).end());
            assertTrue(pool.accepted.isEmpty());
        }
    }
}
