package facet.pool.link;

import static org.junit.jupiter.api.Assertions.assertEquals;

import facet.testkit.net.PlainCopy;
import facet.testkit.net.Proxy;
import facet.testkit.net.Road;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Bulk data over a link and over a plain socket, on the same roads and in one run. It prints how
 * they compare and judges nothing: other work on the machine decides, too.
 */
final class ThroughputTest {
    private static final int PIECE = 256 << 10;

    @Test
    void bulkDataComparedWithAPlainSocket() throws Exception {
        link(Road.PLAIN, 128L << 20); // until ciphers are compiled
        compare("loopback", Road.PLAIN, 128L << 20);
        compare(
                "1 Gbit/s, 1 ms",
                Road.ofRoundTrip(Duration.ofMillis(1)).withRate(125_000_000),
                64L << 20);
        compare(
                "50 Mbit/s, 40 ms, 1 % loss",
                Road.ofRoundTrip(Duration.ofMillis(40)).withRate(6_250_000).withLoss(0.01),
                4L << 20);
    }

    private static void compare(String name, Road road, long bytes) throws Exception {
        double plain = PlainCopy.bytesPerSecond(road, bytes);
        double link = bytes / link(road, bytes);
        System.out.printf(
                Locale.ROOT,
                "%s: plain socket %.0f MB/s, link %.0f MB/s, %.0f %%%n",
                name,
                plain / 1e6,
                link / 1e6,
                100 * link / plain);
    }

    private static double link(Road road, long bytes) throws Exception {
        CountDownLatch all = new CountDownLatch((int) (bytes / PIECE));
        try (TestPool pool =
                        new TestPool(
                                LinkTimes.USUAL,
                                () ->
                                        new Inbox() {
                                            @Override
                                            public void receive(LaneKind lane, ByteBuffer message) {
                                                assertEquals(PIECE, message.remaining());
                                                all.countDown();
                                            }
                                        });
                Proxy proxy = Proxy.to(pool.server.address(), road, 1);
                Link link =
                        Calls.open(pool.caller, proxy.address(), LinkTimes.USUAL, new Inbox())) {
            long begin = System.nanoTime();
            ByteBuffer piece = ByteBuffer.allocate(PIECE);
            for (long sent = 0; sent < bytes; sent += PIECE) {
                link.send(LaneKind.BULK, piece.clear());
            }
            if (!all.await(2, TimeUnit.MINUTES)) {
                throw new AssertionError(all.getCount() + " pieces did not come");
            }
            return (System.nanoTime() - begin) / 1e9;
        }
    }
}
