package facet.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.Command;
import facet.abi.Constants;
import facet.abi.DirectClaim;
import facet.abi.HelloLayout;
import facet.abi.Result;
import facet.abi.RewriteImage;
import facet.abi.RewriteRoom;
import facet.abi.Unruled;
import facet.abi.WelcomeLayout;
import facet.abi.Whole;
import facet.host.ledger.UnsupportedCounts;
import facet.node.slice.SliceFolder;
import facet.os.Connection;
import facet.os.Message;
import facet.os.SharedMemoryUnsafe;
import facet.os.SocketKind;
import facet.ring.Reply;
import facet.slices.Driving;
import facet.slices.Engine;
import facet.slices.Slice;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What programs ask that have the vendor's driver in them: they have no context here. */
@Timeout(120)
class DirectTest {
    private static final long MOST = TestNode.MEMORY;

    @Test
    void claimsAreDecidedOneAfterTheOther() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            try (TestClient one = new TestClient(slice.socket());
                    TestClient two = new TestClient(slice.socket())) {
                assertEquals(Result.SUCCESS, one.call(new DirectClaim(MOST - 512, 0)).result());
                assertEquals(
                        Result.ERROR_OUT_OF_MEMORY, two.call(new DirectClaim(513, 0)).result());
                assertEquals(Result.SUCCESS, two.call(new DirectClaim(512, 0)).result());
                assertEquals(MOST, one.taken());
                for (long wrong : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE, MOST + 1}) {
                    assertEquals(
                            Result.ERROR_OUT_OF_MEMORY,
                            two.call(new DirectClaim(wrong, 0)).result());
                }
                assertEquals(MOST, one.taken());
            }
            assertFalse(node.log().contains("broke the protocol"), node.log());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, -1, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void aDeviceThatIsNotTheSlicesEndsTheSession(int device) throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            try (TestClient client = new TestClient(slice.socket())) {
                send(client, new DirectClaim(256, device));
                assertTrue(client.isEnded());
            }
            assertTrue(node.log().contains("its slice has no device " + device), node.log());
        }
    }

    /** A command for which somebody would wait; nobody does. */
    private static void send(TestClient client, Command command) throws Exception {
        client.ring().offer(command.encode(Constants.REPLY_SLOTS, client.sent + 1, 0));
    }

    @Test
    void whatPassesIsCountedHoweverOddItIs() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            try (TestClient client = new TestClient(slice.socket())) {
                client.post(unruled("cuNew", 3));
                client.post(unruled("cuNew", 4));
                client.post(unruled("\u001b[2J", 1));
                client.post(unruled("cuNever", 0));
                client.post(unruled("cuLess", -5));
                client.post(whole("(launches) graphs", 2));
                client.post(whole("(launches) never", Long.MIN_VALUE));
                assertEquals(Result.SUCCESS, client.call(new DirectClaim(256, 0)).result());
                assertEquals(
                        List.of(
                                new UnsupportedCounts.Entry(
                                        UnsupportedCounts.Kind.UNRULED, "cuNew", 7),
                                new UnsupportedCounts.Entry(
                                        UnsupportedCounts.Kind.WHOLE, "(launches) graphs", 2),
                                new UnsupportedCounts.Entry(
                                        UnsupportedCounts.Kind.UNRULED, "??2J", 1)),
                        slice.unsupported().all());
            }
        }
    }

    /** A device's time is lent to those that may have the vendor's driver, not to all who ask. */
    @Test
    void whoSaysThatItIsDirectIsBelievedWhereItMayBe() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            assertEquals(Result.ERROR_NOT_PERMITTED, greetDirectly(slice), "auto, and software");
            slice.change(withEngine(slice.slice(), Engine.FORWARDED));
            assertEquals(Result.ERROR_NOT_PERMITTED, greetDirectly(slice));
            slice.change(withEngine(slice.slice(), Engine.DIRECT));
            assertEquals(Result.SUCCESS, greetDirectly(slice));
            SliceFolder.letContainersIn(Objects.requireNonNull(slice.socket().getParent()));
            assertEquals(Result.ERROR_NOT_PERMITTED, greetDirectly(slice), "in a container");
        }
    }

    private static Slice withEngine(Slice slice, Engine engine) {
        return new Slice(
                slice.name(),
                slice.memory(),
                slice.devices(),
                slice.terms(),
                slice.isolation(),
                new Driving(engine, false));
    }

    /** What it is answered. */
    private static int greetDirectly(SliceServer slice) throws IOException {
        byte[] hello = TestClient.hello("direct");
        ByteBuffer.wrap(hello)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(HelloLayout.ENGINE_OFFSET, Constants.ENGINE_DIRECT);
        try (Connection connection = Connection.connect(slice.socket(), SocketKind.PACKETS)) {
            connection.send(hello);
            Message welcome = connection.receive(4096).orElseThrow();
            welcome.closeDescriptors();
            return ByteBuffer.wrap(welcome.bytes())
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .getInt(WelcomeLayout.STATUS_OFFSET);
        }
    }

    private static Unruled unruled(String name, long count) {
        return new Unruled(count, name.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static Whole whole(String name, long count) {
        return new Whole(count, name.getBytes(StandardCharsets.ISO_8859_1));
    }

    // ---- code that is rewritten

    private static final String KERNEL =
            """
            .version 8.0
            .target sm_75
            .address_size 64
            .visible .entry k(.param .u64 p)
            {
                .reg .b32 %r;
                .reg .b64 %l;
                ld.param.u64 %l, [p];
                mov.u32 %r, %ctaid.x;
                st.global.u32 [%l], %r;
                ret;
            }
            """;

    /** Room for code that the program maps, as the engine does. */
    private static SharedMemoryUnsafe room(TestClient client, long bytes) throws Exception {
        assertEquals(Result.SUCCESS, client.call(new RewriteRoom(bytes)).result());
        Message message = client.connection.receive(64).orElseThrow();
        assertEquals(1, message.descriptors().length);
        return SharedMemoryUnsafe.attach(message.descriptors()[0]);
    }

    /** The answer, or nothing. */
    private static String rewritten(TestClient client, byte[] image) throws Exception {
        try (SharedMemoryUnsafe room = room(client, 1 << 20)) {
            MemorySegment.copy(image, 0, room.segment(), ValueLayout.JAVA_BYTE, 0, image.length);
            Reply reply = client.call(new RewriteImage(image.length, 75));
            assertEquals(Result.SUCCESS, reply.result());
            return reply.payload()[0] == 0 ? "" : room.segment().getString(0);
        }
    }

    @Test
    void kernelsComeBackTwice() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            try (TestClient client = new TestClient(slice.socket())) {
                String answer = rewritten(client, KERNEL.getBytes(StandardCharsets.UTF_8));
                assertTrue(answer.startsWith("1\nk facet0_ranges_0 1 8\n"), answer);
                assertTrue(answer.contains(".entry facet0_ranges_0"), answer);
            }
        }
    }

    @Test
    void codeThatCannotBeIsLoadedAsItIs() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            try (TestClient client = new TestClient(slice.socket())) {
                for (String wrong :
                        List.of(
                                "no PTX",
                                "\u007fELF and so on",
                                "P\u00edU\u00ba",
                                KERNEL.substring(0, 100),
                                ".version 8.0 .target sm_75 " + "{".repeat(100_000),
                                KERNEL.replace("%ctaid.x", "%smid"))) {
                    assertEquals(
                            "", rewritten(client, wrong.getBytes(StandardCharsets.ISO_8859_1)));
                }
                assertTrue(
                        slice.unsupported().all().stream()
                                .anyMatch(each ->
                                        each.kind() == UnsupportedCounts.Kind.WHOLE
                                                && each.name().startsWith("k: ")),
                        slice.unsupported().all().toString());
                // It is there as before.
                assertTrue(
                        rewritten(client, KERNEL.getBytes(StandardCharsets.UTF_8))
                                .startsWith("1\n"));
            }
            assertFalse(node.log().contains("broke the protocol"), node.log());
        }
    }

    @Test
    void roomsHaveASizeAndThereIsOne() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            try (TestClient client = new TestClient(slice.socket())) {
                for (long wrong : new long[] {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 40}) {
                    assertEquals(
                            Result.ERROR_INVALID_VALUE,
                            client.call(new RewriteRoom(wrong)).result());
                }
                for (int i = 0; i < 200; i++) {
                    room(client, 128 << 20).close(); // each takes the place of the one before
                }
                assertTrue(
                        rewritten(client, KERNEL.getBytes(StandardCharsets.UTF_8))
                                .startsWith("1\n"));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, (1 << 20) + 1})
    void anImageThatIsNotInItsRoomEndsTheSession(long bytes) throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            try (TestClient client = new TestClient(slice.socket());
                    SharedMemoryUnsafe _ = room(client, 1 << 20)) {
                send(client, new RewriteImage(bytes, 75));
                assertTrue(client.isEnded());
            }
            assertTrue(node.log().contains("larger than its room"), node.log());
        }
    }

    @Test
    void anImageWithoutARoomEndsTheSession() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            try (TestClient client = new TestClient(slice.socket())) {
                send(client, new RewriteImage(100, 75));
                assertTrue(client.isEnded());
            }
            assertTrue(node.log().contains("without room for it"), node.log());
        }
    }
}
