package facet.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.Constants;
import facet.abi.DirectClaim;
import facet.abi.HelloLayout;
import facet.abi.Result;
import facet.abi.Unruled;
import facet.abi.WelcomeLayout;
import facet.host.ledger.UnsupportedCounts;
import facet.node.slice.SliceFolder;
import facet.os.Connection;
import facet.os.Message;
import facet.os.SocketKind;
import facet.slices.Driving;
import facet.slices.Engine;
import facet.slices.Slice;
import java.io.IOException;
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
                // One for which somebody would wait.
                client.ring()
                        .offer(
                                new DirectClaim(256, device)
                                        .encode(Constants.REPLY_SLOTS, client.sent + 1, 0));
                assertTrue(client.isEnded());
            }
            assertTrue(node.log().contains("its slice has no device " + device), node.log());
        }
    }

    @Test
    void unruledCallsAreCountedHoweverOddTheyAre() throws Exception {
        try (TestNode node = new TestNode()) {
            SliceServer slice = node.slice("one");
            try (TestClient client = new TestClient(slice.socket())) {
                client.post(unruled("cuNew", 3));
                client.post(unruled("cuNew", 4));
                client.post(unruled("\u001b[2J", 1));
                client.post(unruled("cuNever", 0));
                client.post(unruled("cuLess", -5));
                assertEquals(Result.SUCCESS, client.call(new DirectClaim(256, 0)).result());
                assertEquals(
                        List.of(
                                new UnsupportedCounts.Entry(
                                        UnsupportedCounts.Kind.UNRULED, "cuNew", 7),
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
}
