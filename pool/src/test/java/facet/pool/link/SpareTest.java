package facet.pool.link;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
final class SpareTest {
    private static final LinkTimes TIMES = LinkTimes.USUAL.withResume(Duration.ofSeconds(2));

    private static void awaitReady(Spare spare) throws InterruptedException {
        while (!spare.isReady()) {
            Thread.sleep(5);
        }
    }

    @Test
    void whoTakesOneGetsWhatIsThere() throws Exception {
        try (TestPool pool = new TestPool(TIMES);
                Spare spare = new Spare(pool.caller, pool.server.address(), TIMES)) {
            spare.prepare();
            awaitReady(spare);
            TestPool.Accepted first = pool.next();
            Inbox inbox = new Inbox();
            try (Link link = spare.take(inbox)) {
                assertEquals(first.link().id(), link.id());
                link.send(LaneKind.COMMANDS, ByteBuffer.wrap(new byte[] {1, 2}));
                assertArrayEquals(new byte[] {1, 2}, first.inbox().next(LaneKind.COMMANDS));
                first.link().send(LaneKind.BULK, ByteBuffer.wrap(new byte[] {3}));
                assertArrayEquals(new byte[] {3}, inbox.next(LaneKind.BULK));
            }
            assertEquals(LinkEnd.CLOSED, inbox.awaitEnd());
            awaitReady(spare); // the next one, without being asked for
            assertEquals(pool.next().link().id(), take(spare).id());
        }
    }

    private static Link take(Spare spare) throws Exception {
        Link link = spare.take(new Inbox());
        link.close();
        return link;
    }

    /** One that has ended meanwhile is nobody's. */
    @Test
    void oneThatHasEndedIsNotGiven() throws Exception {
        try (TestPool pool = new TestPool(TIMES);
                Spare spare = new Spare(pool.caller, pool.server.address(), TIMES)) {
            spare.prepare();
            awaitReady(spare);
            TestPool.Accepted first = pool.next();
            first.link().close();
            assertEquals(LinkEnd.CLOSED, first.inbox().awaitEnd());
            while (pool.server.links().contains(first.link())) {
                Thread.sleep(5);
            }
            Inbox inbox = new Inbox();
            Link link = spare.take(inbox);
            if (link.id().equals(first.link().id())) { // it has not noticed yet, and is told so
                assertEquals(LinkEnd.CLOSED, inbox.awaitEnd());
            } else {
                assertTrue(link.isConnected());
            }
            link.close();
        }
    }

    @Test
    void whereNobodyIsThatIsSaid() throws Exception {
        TestPool pool = new TestPool(TIMES);
        pool.close();
        try (Spare spare = new Spare(pool.caller, pool.server.address(), TIMES)) {
            spare.prepare();
            assertThrows(LinkException.class, () -> spare.take(new Inbox()));
        }
    }

    @Test
    void onesThatNobodyWantsEnd() throws Exception {
        try (TestPool pool = new TestPool(TIMES)) {
            Spare spare = new Spare(pool.caller, pool.server.address(), TIMES);
            spare.prepare();
            awaitReady(spare);
            TestPool.Accepted first = pool.next();
            spare.close();
            assertEquals(LinkEnd.CLOSED, first.inbox().awaitEnd());
        }
    }
}
