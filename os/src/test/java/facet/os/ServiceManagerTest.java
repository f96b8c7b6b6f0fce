package facet.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ServiceManagerTest {
    @TempDir private Path folder;

    private static String received(String address, byte[] name) throws IOException {
        int socket = SocketUnsafe.open(SocketKind.DATAGRAMS);
        assertTrue(SocketUnsafe.bind(socket, name) >= 0);
        try (Connection listener = Connection.of(socket, SocketKind.DATAGRAMS)) {
            new ServiceManager(Map.of("NOTIFY_SOCKET", address)).ready();
            return new String(listener.receive(100).orElseThrow().bytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void isToldAtAPath() throws IOException {
        Path path = folder.resolve("notify");
        assertEquals("READY=1", received(path.toString(), SocketPath.bytes(path)));
    }

    @Test
    void isToldAtAnAbstractName() throws IOException {
        String name = "facet-test-" + ProcessHandle.current().pid();
        byte[] bytes = ("\0" + name).getBytes(StandardCharsets.UTF_8);
        assertEquals("READY=1", received("@" + name, bytes));
    }

    @Test
    void nobodyWaits() throws IOException {
        new ServiceManager(Map.of()).ready();
    }

    @Test
    void oneThatIsGoneIsAnError() {
        ServiceManager gone =
                new ServiceManager(Map.of("NOTIFY_SOCKET", folder.resolve("none").toString()));
        assertThrows(IOException.class, gone::ready);
    }
}
