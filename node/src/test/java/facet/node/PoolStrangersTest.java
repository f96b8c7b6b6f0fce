package facet.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.doors.control.ControlException;
import facet.pool.identity.NodeIdentity;
import facet.pool.identity.PoolToken;
import facet.pool.link.Calls;
import facet.pool.link.LaneKind;
import facet.pool.link.Link;
import facet.pool.link.LinkEnd;
import facet.pool.link.LinkException;
import facet.pool.link.LinkTimes;
import facet.pool.link.Receiver;
import facet.slices.Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What comes to the port of a daemon's pool that should not. */
@Timeout(300)
class PoolStrangersTest extends PoolDaemons {
    private static final byte NEWS = 64;
    private static final byte ASK = 65;
    private static final byte OPEN = 1;

    /** Kind, process and the two words of a scope come before the names. */
    private static final int OPEN_HEAD = 32;

    private static InetSocketAddress port(TestDaemon daemon) {
        String listens = address(daemon);
        return new InetSocketAddress(
                InetAddress.getLoopbackAddress(),
                Integer.parseInt(listens.substring(listens.lastIndexOf(':') + 1)));
    }

    @Test
    void outsidersGetNothingAndMembersDoNotNotice() throws Exception {
        TestDaemon far = far();
        TestDaemon near = near(far);
        near.daemon().keep("train", Settings.NONE);
        Random random = new Random(7);
        List<Socket> open = new ArrayList<>();
        try {
            for (int i = 0; i < 200; i++) {
                Socket socket = new Socket();
                socket.connect(port(far), 5000);
                open.add(socket);
                byte[] garbage = new byte[random.nextInt(600)];
                random.nextBytes(garbage);
                try {
                    socket.getOutputStream().write(garbage);
                } catch (IOException _) {
                    // It was hung up already, which is right.
                }
            }
            // Who has another pool's token is none of this one.
            NodeIdentity other = NodeIdentity.of(PoolToken.generate(), "near");
            LinkException refused = null;
            try {
                Calls.open(other, port(far), LinkTimes.USUAL, new Inbox()).close();
            } catch (LinkException e) {
                refused = e;
            }
            assertTrue(refused != null, "another pool's member was let in");
            runProgram(socket(near, "train"));
            assertEquals(true, nodes(near).getFirst().get("connected"));
        } finally {
            for (Socket each : open) {
                each.close();
            }
        }
        await(
                () -> Objects.equals(far.daemon().pool().get("strangers"), 0),
                "nothing is left of them");
    }

    @Test
    void aMemberGetsIntoNoSliceButItsOwn() throws Exception {
        TestDaemon far = far();
        TestDaemon near = near(far);
        near.daemon().keep("train", Settings.NONE);
        far.daemon().keep("own", Settings.NONE);
        for (String each : List.of("near.train", "own", "default", "../own", "")) {
            try (Member evil = new Member(far, "evil")) {
                evil.open(each);
                assertTrue(evil.next().contains("has no slice"), each);
            }
        }
        // Nor by the name of the one that has it.
        try (Member evil = new Member(far, "near")) {
            evil.open("near.train");
            assertTrue(evil.next().contains("has no slice"));
        }
        runProgram(socket(near, "train"));
    }

    @Test
    void whatAMemberMayNotSayIsRefused() throws Exception {
        TestDaemon far = far("--pool-most", "memory=64MiB,devices=1");
        try (Member evil = new Member(far, "evil")) {
            evil.say(
                    NEWS,
                    "{\"node\":\"evil\",\"address\":\"\",\"leaving\":false,"
                            + "\"draining\":false,\"sessions\":0,\"lent\":0,\"devices\":[],\"others\":[]}");
            for (Map.Entry<String, String> each :
                    Map.of(
                                    "\"engine\":\"direct\"", "not for another node",
                                    "\"node\":\"far\"", "not for another node",
                                    "\"memory\":\"65MiB\"", "64MiB at most",
                                    "\"memory\":\"-1\"", "",
                                    "\"devices\":\"2\"", "1 at most",
                                    "\"memory\":\"1MiB\"", "which device",
                                    "\"nonsense\":\"1\"", "no setting",
                                    "\"device\":\"7\"", "device 7")
                            .entrySet()) {
                evil.say(
                        ASK,
                        "{\"number\":1,\"deed\":\"MAKE\",\"name\":\"x\",\"settings\":{"
                                + each.getKey()
                                + "}}");
                String answer = evil.next("\"number\":1");
                assertTrue(answer.contains(each.getValue()), answer);
                assertTrue(!answer.contains("\"error\":\"\""), answer);
            }
            evil.say(
                    ASK, "{\"number\":2,\"deed\":\"REMOVE\",\"name\":\"default\",\"settings\":{}}");
            assertTrue(evil.next("\"number\":2").contains("has no slice 'default'"));
            // A name is only a wish.
            evil.say(
                    ASK,
                    "{\"number\":3,\"deed\":\"MAKE\",\"name\":\"../../etc/x y\","
                            + "\"settings\":{\"device\":\"0\"}}");
            assertTrue(evil.next("\"number\":3").contains("\"error\":\"\""));
            assertEquals(1, far.daemon().pool().get("lent"));
        }
        await(() -> Objects.equals(far.daemon().pool().get("lent"), 0), "what it had is gone");
        for (String each :
                List.of("", "{", "null", "[]", "{\"number\":\"x\"}", "{\"deed\":\"EAT\"}")) {
            try (Member evil = new Member(far, "evil")) {
                evil.say(NEWS, each);
                evil.say(ASK, each);
                evil.awaitEnd();
            }
        }
        assertEquals(List.of("default"), names(far));
    }

    private static List<String> names(TestDaemon daemon) {
        return daemon.daemon().slices().stream()
                .map(each -> String.valueOf(each.get("name")))
                .toList();
    }

    @Test
    void aPoolIsMadeOnce() throws Exception {
        TestDaemon far = far();
        String why = "";
        try {
            far.daemon().makePool(java.util.Optional.of("127.0.0.1:0"), java.util.Optional.empty());
        } catch (ControlException e) {
            why = String.valueOf(e.getMessage());
        }
        assertTrue(why.contains("already"), why);
    }

    /** Messages as text, and the end. */
    private static final class Inbox implements Receiver {
        private final BlockingQueue<String> all = new LinkedBlockingQueue<>();

        @Override
        public void receive(LaneKind lane, ByteBuffer message) {
            all.add(StandardCharsets.UTF_8.decode(message).toString());
        }

        @Override
        public void ended(LinkEnd why, String text) {
            all.add("end");
        }
    }

    /** Somebody who has the pool's token and means no good. */
    private final class Member implements AutoCloseable {
        private final Inbox inbox = new Inbox();
        private final Link link;

        Member(TestDaemon far, String name) throws Exception {
            link =
                    Calls.open(
                            NodeIdentity.of(PoolToken.parse(token()), name),
                            port(far),
                            LinkTimes.USUAL,
                            inbox);
        }

        void say(byte kind, String json) throws Exception {
            byte[] text = json.getBytes(StandardCharsets.UTF_8);
            try {
                link.send(
                        LaneKind.COMMANDS,
                        ByteBuffer.allocate(8 + text.length)
                                .order(ByteOrder.LITTLE_ENDIAN)
                                .put(0, kind)
                                .put(8, text));
            } catch (LinkException _) {
                // It was hung up before it had said all.
            }
        }

        void open(String slice) throws Exception {
            byte[] names = (slice + "\0program\0").getBytes(StandardCharsets.UTF_8);
            link.send(
                    LaneKind.COMMANDS,
                    ByteBuffer.allocate(OPEN_HEAD + names.length)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .put(0, OPEN)
                            .putInt(4, 1)
                            .put(OPEN_HEAD, names));
        }

        String next() throws Exception {
            return String.valueOf(inbox.all.poll(60, TimeUnit.SECONDS));
        }

        String next(String with) throws Exception {
            String next = next();
            while (!next.contains(with)) {
                assertTrue(!next.equals("null") && !next.equals("end"), "nothing comes: " + with);
                next = next();
            }
            return next;
        }

        void awaitEnd() throws Exception {
            String next = next();
            while (!next.equals("end")) {
                assertTrue(!next.equals("null"), "it is heard");
                next = next();
            }
        }

        @Override
        public void close() {
            link.close();
        }
    }
}
