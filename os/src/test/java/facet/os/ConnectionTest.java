package facet.os;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ConnectionTest {
    @ParameterizedTest
    @EnumSource
    void descriptorsTravel(SocketKind kind) throws IOException {
        Connection.Pair pair = Connection.pair(kind);
        try (Connection first = pair.first();
                Connection second = pair.second();
                SharedMemoryUnsafe one = SharedMemoryUnsafe.create("one", 4096);
                SharedMemoryUnsafe two = SharedMemoryUnsafe.create("two", 4096)) {
            two.segment().set(JAVA_INT, 0, 77);
            first.send(new byte[] {1, 2, 3}, one.descriptor(), two.descriptor());
            Message message = second.receive(100).orElseThrow();
            assertArrayEquals(new byte[] {1, 2, 3}, message.bytes());
            assertEquals(2, message.descriptors().length);
            Descriptors.close(message.descriptors()[0]);
            try (SharedMemoryUnsafe received =
                    SharedMemoryUnsafe.attach(message.descriptors()[1])) {
                assertEquals(77, received.segment().get(JAVA_INT, 0));
            }
        }
    }

    @Test
    void packetsStayWhole() throws IOException {
        Connection.Pair pair = Connection.pair(SocketKind.PACKETS);
        try (Connection first = pair.first();
                Connection second = pair.second()) {
            first.send(new byte[5]);
            first.send(new byte[7]);
            first.send(new byte[9]);
            assertEquals(5, second.receive(8).orElseThrow().bytes().length);
            assertEquals(7, second.receive(8).orElseThrow().bytes().length);
            IOException cut = assertThrows(IOException.class, () -> second.receive(8));
            assertTrue(
                    String.valueOf(cut.getMessage()).contains("more than 8 bytes"),
                    cut.getMessage());
        }
    }

    @Test
    void tooManyDescriptorsAreClosed() throws IOException {
        Connection.Pair pair = Connection.pair(SocketKind.PACKETS);
        try (Connection first = pair.first();
                Connection second = pair.second();
                SharedMemoryUnsafe memory = SharedMemoryUnsafe.create("test", 4096)) {
            int[] many = new int[MessageUnsafe.DESCRIPTOR_LIMIT + 4];
            java.util.Arrays.fill(many, memory.descriptor());
            first.send(new byte[1], many);
            int next = nextDescriptor();
            assertThrows(IOException.class, () -> second.receive(8));
            assertEquals(next, nextDescriptor());
        }
    }

    /** The number that the system would give out next. */
    private static int nextDescriptor() {
        int descriptor = MemoryFileUnsafe.create("next");
        Descriptors.close(descriptor);
        return descriptor;
    }

    @Test
    void streamSendsAllBytes() throws Exception {
        Connection.Pair pair = Connection.pair(SocketKind.STREAM);
        try (Connection first = pair.first();
                Connection second = pair.second()) {
            byte[] bytes = new byte[3 << 20];
            new java.util.Random(1).nextBytes(bytes);
            Thread sender =
                    Thread.ofPlatform()
                            .start(() -> {
                                try (first) {
                                    first.send(bytes);
                                } catch (IOException e) {
                                    throw new java.io.UncheckedIOException(e);
                                }
                            });
            java.io.ByteArrayOutputStream all = new java.io.ByteArrayOutputStream();
            for (Optional<Message> part = second.receive(65536);
                    part.isPresent();
                    part = second.receive(65536)) {
                all.write(part.get().bytes());
            }
            sender.join();
            assertArrayEquals(bytes, all.toByteArray());
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DATAGRAMS") // no end of file
    void endOfPeerIsSeen(SocketKind kind) throws IOException {
        Connection.Pair pair = Connection.pair(kind);
        try (Connection second = pair.second()) {
            assertFalse(second.awaitReadable(Duration.ofMillis(5)));
            pair.first().close();
            assertTrue(second.awaitReadable(Duration.ofSeconds(60)));
            assertEquals(Optional.empty(), second.receive(10));
            IOException gone = assertThrows(IOException.class, () -> second.send(new byte[1]));
            assertTrue(
                    String.valueOf(gone.getMessage()).contains("Broken pipe"), gone.getMessage());
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DATAGRAMS") // no end of file
    void closeWakesReceive(SocketKind kind) throws Exception {
        Connection.Pair pair = Connection.pair(kind);
        try (Connection first = pair.first()) {
            Connection second = pair.second();
            CompletableFuture<Optional<Message>> received = new CompletableFuture<>();
            Thread.ofPlatform()
                    .start(() -> {
                        try {
                            received.complete(second.receive(10));
                        } catch (IOException e) {
                            received.completeExceptionally(e);
                        }
                    });
            assertFalse(first.awaitReadable(Duration.ofMillis(30)));
            second.close();
            assertEquals(Optional.empty(), received.get(60, TimeUnit.SECONDS));
            assertThrows(ClosedChannelException.class, () -> second.receive(10));
            assertTrue(first.awaitReadable(Duration.ofSeconds(60)));
        }
    }

    @Test
    void sendToOneWhoDoesNotReadEnds() throws IOException {
        Connection.Pair pair = Connection.pair(SocketKind.PACKETS);
        try (Connection first = pair.first();
                Connection second = pair.second()) {
            first.limitSends(Duration.ofMillis(20));
            IOException stuck =
                    assertThrows(
                            IOException.class,
                            () -> {
                                while (true) {
                                    first.send(new byte[1000]);
                                }
                            });
            assertTrue(
                    String.valueOf(stuck.getMessage()).contains("does not read"),
                    stuck.getMessage());
            assertFalse(second.isClosed());
        }
    }

    @Test
    void peerIsThisProcess() throws IOException {
        Connection.Pair pair = Connection.pair(SocketKind.PACKETS);
        try (Connection first = pair.first();
                Connection second = pair.second()) {
            Peer self =
                    new Peer(
                            (int) ProcessHandle.current().pid(),
                            ProcessUnsafe.user(),
                            ProcessUnsafe.group());
            assertEquals(self, first.peer());
            assertEquals(self, second.peer());
        }
    }
}
