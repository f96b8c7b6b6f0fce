package facet.os;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ListenerTest {
    private static final Set<PosixFilePermission> MODE =
            PosixFilePermissions.fromString("rw-rw----");

    @TempDir Path folder;

    private Listener listen() throws IOException {
        return Listener.open(folder.resolve("socket"), SocketKind.PACKETS, 8, MODE);
    }

    @Test
    void connectsAndTalks() throws IOException {
        try (Listener listener = listen()) {
            assertEquals(MODE, Files.getPosixFilePermissions(listener.path()));
            assertFalse(listener.awaitConnection(Duration.ZERO));
            try (Connection client = Connection.connect(listener.path(), SocketKind.PACKETS);
                    Connection server = listener.accept().orElseThrow()) {
                client.send(new byte[] {5});
                assertArrayEquals(new byte[] {5}, server.receive(10).orElseThrow().bytes());
                assertEquals(ProcessUnsafe.user(), server.peer().uid());
            }
        }
    }

    @Test
    void closeWakesAcceptAndRemovesTheFile() throws Exception {
        Listener listener = listen();
        CompletableFuture<Optional<Connection>> accepted = new CompletableFuture<>();
        Thread.ofPlatform()
                .start(() -> {
                    try {
                        accepted.complete(listener.accept());
                    } catch (IOException e) {
                        accepted.completeExceptionally(e);
                    }
                });
        assertThrows(
                java.util.concurrent.TimeoutException.class,
                () -> accepted.get(30, TimeUnit.MILLISECONDS));
        listener.close();
        listener.close();
        assertEquals(Optional.empty(), accepted.get(60, TimeUnit.SECONDS));
        assertEquals(Optional.empty(), listener.accept());
        assertFalse(Files.exists(listener.path()));
    }

    @Test
    void socketLeftBehindIsReplaced() throws IOException {
        Path path = folder.resolve("socket");
        int dead = SocketUnsafe.open(SocketKind.PACKETS);
        assertEquals(0, SocketUnsafe.bind(dead, SocketPath.bytes(path)));
        Descriptors.close(dead);
        assertTrue(Files.exists(path));
        try (Listener listener = listen();
                Connection client = Connection.connect(listener.path(), SocketKind.PACKETS)) {
            assertFalse(client.isClosed());
        }
    }

    @Test
    void livingListenerIsLeftAlone() throws IOException {
        try (Listener listener = listen()) {
            IOException taken = assertThrows(IOException.class, this::listen);
            assertTrue(
                    String.valueOf(taken.getMessage())
                            .contains("pid " + ProcessHandle.current().pid()),
                    taken.getMessage());
            assertTrue(Files.exists(listener.path()));
        }
    }

    @Test
    void otherFilesAreLeftAlone() throws IOException {
        Path path = Files.writeString(folder.resolve("socket"), "precious");
        IOException taken = assertThrows(IOException.class, this::listen);
        assertTrue(String.valueOf(taken.getMessage()).contains("remove it"), taken.getMessage());
        assertEquals("precious", Files.readString(path));
    }

    @Test
    void nobodyThereSaysWhatToDo() {
        IOException refused =
                assertThrows(
                        IOException.class,
                        () -> Connection.connect(folder.resolve("none"), SocketKind.PACKETS));
        assertTrue(
                String.valueOf(refused.getMessage()).contains("No such file"),
                refused.getMessage());
        assertTrue(
                String.valueOf(refused.getMessage()).contains("start what listens"),
                refused.getMessage());
    }

    @Test
    void longPathsSayWhatToDo() {
        Path path = folder.resolve("x".repeat(120)).resolve("socket");
        IOException refused =
                assertThrows(IOException.class, () -> Connection.connect(path, SocketKind.PACKETS));
        assertTrue(
                String.valueOf(refused.getMessage()).contains("shorter folder"),
                refused.getMessage());
    }
}
