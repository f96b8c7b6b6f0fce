package facet.pool.link;

import static org.junit.jupiter.api.Assertions.assertEquals;

import facet.testkit.net.Proxy;
import facet.testkit.net.Road;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
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
        double plain = plain(road, bytes);
        double link = link(road, bytes);
        System.out.printf(
                Locale.ROOT,
                "%s: plain socket %.0f MB/s, link %.0f MB/s, %.0f %%%n",
                name,
                bytes / plain / 1e6,
                bytes / link / 1e6,
                100 * plain / link);
    }

    private static double plain(Road road, long bytes) throws Exception {
        try (ServerSocket server = new ServerSocket()) {
            server.bind(TestPool.ANYWHERE);
            try (Proxy proxy =
                            Proxy.to((InetSocketAddress) server.getLocalSocketAddress(), road, 1);
                    Socket from = new Socket()) {
                from.connect(proxy.address());
                Socket to = server.accept();
                CompletableFuture<Long> received = new CompletableFuture<>();
                Thread.ofPlatform()
                        .daemon()
                        .start(() -> {
                            byte[] buffer = new byte[PIECE];
                            long sum = 0;
                            try {
                                InputStream in = to.getInputStream();
                                while (sum < bytes) {
                                    sum += Math.max(0, in.read(buffer));
                                }
                                received.complete(sum);
                            } catch (java.io.IOException e) {
                                received.completeExceptionally(e);
                            }
                        });
                long begin = System.nanoTime();
                OutputStream out = from.getOutputStream();
                byte[] piece = new byte[PIECE];
                for (long sent = 0; sent < bytes; sent += PIECE) {
                    out.write(piece);
                }
                assertEquals(bytes, received.get(2, TimeUnit.MINUTES));
                return (System.nanoTime() - begin) / 1e9;
            }
        }
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
