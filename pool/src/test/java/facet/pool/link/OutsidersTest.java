package facet.pool.link;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.pool.identity.NodeIdentity;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who is no member gets nothing, and members get no more than their own. */
final class OutsidersTest {
    private static final LinkTimes TIMES =
            new LinkTimes(
                    Duration.ofMillis(200),
                    Duration.ofMillis(2500),
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(6));

    /** Outsiders come from here: an address of its own, as on a network. */
    private static final InetAddress OUTSIDE = outside();

    private TestPool pool;

    private static InetAddress outside() {
        try {
            return InetAddress.getByAddress(new byte[] {127, 0, 0, 2});
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void open() throws Exception {
        pool = new TestPool(TIMES);
    }

    @AfterEach
    void close() {
        pool.close();
    }

    private Socket fromOutside() throws IOException {
        Socket socket =
                new Socket(
                        pool.server.address().getAddress(),
                        pool.server.address().getPort(),
                        OUTSIDE,
                        0);
        socket.setSoTimeout(60_000);
        return socket;
    }

    /** Whether the server hangs up, and says at most what TLS says to anybody. */
    private static void assertHungUp(Socket socket) throws IOException {
        try {
            byte[] said = socket.getInputStream().readNBytes(64 << 10);
            assertTrue(said.length < 4096, said.length + " bytes");
        } catch (SocketTimeoutException e) {
            throw new AssertionError("it is still heard", e);
        } catch (IOException e) {
            // Reset: as good.
            assertTrue(socket.isConnected());
        }
    }

    private void assertMembersGetIn() throws Exception {
        try (Link link = Calls.open(pool.caller, pool.server.address(), TIMES, new Inbox())) {
            link.send(LaneKind.COMMANDS, ByteBuffer.wrap(new byte[] {42}));
            assertArrayEquals(new byte[] {42}, pool.next().inbox().next(LaneKind.COMMANDS));
        }
    }

    @Test
    void garbageGetsNothing() throws Exception {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        List<Socket> sockets = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Socket socket = fromOutside();
            sockets.add(socket);
            byte[] garbage = new byte[1 + random.nextInt(5000)];
            random.nextBytes(garbage);
            if (i % 2 == 0) {
                garbage[0] = 22; // as a handshake of TLS begins
            }
            socket.getOutputStream().write(garbage);
        }
        for (Socket each : sockets) {
            assertHungUp(each);
            each.close();
        }
        assertTrue(pool.accepted.isEmpty());
        assertMembersGetIn();
    }

    /** Whoever says nothing, or says it slowly, is let go when its time is over. */
    @Test
    void whoIsSlowIsLetGo() throws Exception {
        try (Socket silent = fromOutside();
                Socket slow = fromOutside()) {
            Thread.ofVirtual()
                    .start(() -> {
                        try {
                            while (true) {
                                slow.getOutputStream().write(new byte[] {22});
                                TimeUnit.MILLISECONDS.sleep(20);
                            }
                        } catch (IOException | InterruptedException e) {
                            Thread.currentThread().interrupt(); // let go
                        }
                    });
            assertHungUp(silent);
            assertHungUp(slow);
        }
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (pool.server.strangers() > 0 && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        assertEquals(0, pool.server.strangers());
    }

    /** Many that say nothing take each other's place, and no member's. */
    @Test
    void manyHalfOpenConnectionsKeepNoMemberOut() throws Exception {
        List<Socket> open = new ArrayList<>();
        try {
            for (int i = 0; i < 300; i++) {
                open.add(fromOutside());
            }
            assertTrue(pool.server.strangers() <= 64);
            assertMembersGetIn();
        } finally {
            for (Socket each : open) {
                each.close();
            }
        }
        assertTrue(pool.server.turnedAway() > 0);
    }

    /** TLS alone is not enough. */
    @Test
    void whoHasNoCertificateGetsNothing() throws Exception {
        SSLContext anybody = SSLContext.getInstance("TLSv1.3");
        anybody.init(null, new TrustManager[] {new Credulous()}, null);
        try (SSLSocket socket =
                (SSLSocket)
                        anybody.getSocketFactory()
                                .createSocket(fromOutside(), "localhost", 0, true)) {
            assertThrows(
                    IOException.class,
                    () -> {
                        socket.startHandshake();
                        socket.getOutputStream()
                                .write(
                                        new Hello(LaneKind.COMMANDS, true, LinkId.random(), 0)
                                                .bytes());
                        if (socket.getInputStream().read() < 0) {
                            throw new SSLException("hung up");
                        }
                    });
        }
        assertTrue(pool.accepted.isEmpty());
        assertTrue(pool.server.links().isEmpty());
    }

    @Test
    void olderTlsIsNotSpoken() throws Exception {
        SSLContext old = SSLContext.getInstance("TLSv1.2");
        old.init(null, new TrustManager[] {new Credulous()}, null);
        try (SSLSocket socket =
                (SSLSocket)
                        old.getSocketFactory().createSocket(fromOutside(), "localhost", 0, true)) {
            socket.setEnabledProtocols(new String[] {"TLSv1.2"});
            assertThrows(IOException.class, socket::startHandshake);
        }
    }

    /** What a member sent, sent once more by somebody who has listened to it. */
    @Test
    void recordedBytesAreWorthNothing() throws Exception {
        ByteArrayOutputStream heard = new ByteArrayOutputStream();
        try (ServerSocket between = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> listenIn(between, heard));
            java.net.InetSocketAddress there =
                    (java.net.InetSocketAddress) between.getLocalSocketAddress();
            try (Link link = Calls.open(pool.caller, there, TIMES, new Inbox())) {
                link.send(LaneKind.COMMANDS, ByteBuffer.wrap(new byte[] {42}));
                assertArrayEquals(new byte[] {42}, pool.next().inbox().next(LaneKind.COMMANDS));
            }
        }
        byte[] recorded;
        synchronized (heard) {
            recorded = heard.toByteArray();
        }
        assertTrue(recorded.length > 500, "nothing was heard");
        try (Socket replay = fromOutside()) {
            replay.getOutputStream().write(recorded);
            assertHungUp(replay);
        }
        assertTrue(pool.accepted.isEmpty());
    }

    /** Passes connections on, and keeps what the first one says to the server. */
    private void listenIn(ServerSocket between, ByteArrayOutputStream heard) {
        boolean first = true;
        try {
            while (true) {
                Socket near = between.accept();
                Socket far =
                        new Socket(
                                pool.server.address().getAddress(),
                                pool.server.address().getPort());
                boolean keeps = first;
                first = false;
                Thread.ofVirtual().start(() -> pass(near, far, keeps ? heard : null));
                Thread.ofVirtual().start(() -> pass(far, near, null));
            }
        } catch (IOException e) {
            Thread.currentThread().interrupt(); // it was closed
        }
    }

    private static void pass(
            Socket from,
            Socket to,
            @org.jspecify.annotations.Nullable ByteArrayOutputStream heard) {
        byte[] buffer = new byte[4096];
        try (from;
                to) {
            for (int n = from.getInputStream().read(buffer);
                    n >= 0;
                    n = from.getInputStream().read(buffer)) {
                if (heard != null) {
                    synchronized (heard) {
                        heard.write(buffer, 0, n);
                    }
                }
                to.getOutputStream().write(buffer, 0, n);
            }
        } catch (IOException e) {
            Thread.currentThread().interrupt(); // one end has closed
        }
    }

    // ---- members that do what none does

    private Wire memberWire(NodeIdentity member) throws IOException {
        Socket socket =
                new Socket(pool.server.address().getAddress(), pool.server.address().getPort());
        socket.setSoTimeout(60_000);
        return Wire.call(member.context(), socket);
    }

    private static Hello.Answer greet(Wire wire, Hello hello) throws IOException {
        wire.write(hello.bytes(), Hello.BYTES);
        return Hello.Answer.of(wire.in().readNBytes(Hello.ANSWER_BYTES));
    }

    @Test
    void aLinkIsNobodyElses() throws Exception {
        Inbox inbox = new Inbox();
        try (Link link = Calls.open(pool.caller, pool.server.address(), TIMES, inbox)) {
            TestPool.Accepted other = pool.next();
            NodeIdentity thief = NodeIdentity.of(pool.token, "caller");
            for (LaneKind each : LaneKind.values()) {
                try (Wire wire = memberWire(thief)) {
                    assertEquals(
                            Hello.Status.UNKNOWN,
                            greet(wire, new Hello(each, true, link.id(), 0)).status());
                }
            }
            link.send(LaneKind.COMMANDS, ByteBuffer.wrap(new byte[] {1}));
            assertArrayEquals(new byte[] {1}, other.inbox().next(LaneKind.COMMANDS));
        }
    }

    @Test
    void aLinkThatNobodyKnowsIsNotResumed() throws Exception {
        try (Wire wire = memberWire(pool.caller)) {
            Hello hello = new Hello(LaneKind.COMMANDS, false, LinkId.random(), 17);
            assertEquals(Hello.Status.UNKNOWN, greet(wire, hello).status());
        }
        assertTrue(pool.server.links().isEmpty());
    }

    @Test
    void whatMakesNoSenseEndsTheLink() throws Exception {
        byte[][] wrong = {
            chunk((byte) 9, 0),
            chunk(Chunks.DATA, -1),
            chunk(Chunks.DATA, 0),
            chunk(Chunks.DATA, Integer.MAX_VALUE),
            chunk(Chunks.ACK, 4, 0, 0, 0, 0),
            chunk(Chunks.ACK, 8, 1, 0, 0, 0, 0, 0, 0, 0), // never sent
            chunk(Chunks.ACK, 8, 0, 0, 0, 0, 0, 0, 0, 0x80),
            chunk(Chunks.DATA, 4, 0xff, 0xff, 0xff, 0xff),
            chunk(Chunks.DATA, 4, 1, 0, 0x10, 0), // a byte more than a message has
        };
        for (byte[] each : wrong) {
            try (Wire wire = memberWire(pool.caller)) {
                Hello hello = new Hello(LaneKind.COMMANDS, true, LinkId.random(), 0);
                assertEquals(Hello.Status.WELCOME, greet(wire, hello).status());
                wire.write(each, each.length);
                assertEquals(LinkEnd.VIOLATION, pool.next().inbox().awaitEnd());
            }
        }
        assertTrue(pool.server.links().isEmpty());
        assertMembersGetIn();
    }

    private static byte[] chunk(byte kind, int length, int... content) {
        ByteBuffer bytes =
                ByteBuffer.allocate(Chunks.HEAD + content.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put(kind).putInt(length);
        for (int each : content) {
            bytes.put((byte) each);
        }
        return bytes.array();
    }

    @Test
    void otherVersionsAreTold() throws Exception {
        try (Wire wire = memberWire(pool.caller)) {
            byte[] hello = new Hello(LaneKind.COMMANDS, true, LinkId.random(), 0).bytes();
            hello[4]++;
            wire.write(hello, Hello.BYTES);
            assertEquals(
                    Hello.Status.OTHER_VERSION,
                    Hello.Answer.of(wire.in().readNBytes(Hello.ANSWER_BYTES)).status());
        }
    }

    /** Believes everybody: an outsider has nothing to compare with. */
    private static final class Credulous implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
