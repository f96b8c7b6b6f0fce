package facet.node.worker;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.worker.AskUsage;
import facet.abi.worker.Close;
import facet.abi.worker.Open;
import facet.abi.worker.Ready;
import facet.abi.worker.Stopped;
import facet.abi.worker.ToDaemon;
import facet.abi.worker.ToWorker;
import facet.abi.worker.Warm;
import facet.os.Connection;
import facet.os.Descriptors;
import facet.os.SharedMemoryUnsafe;
import facet.os.SocketKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WorkerLinkTest {
    private final Connection.Pair pair = Connection.pair(SocketKind.PACKETS);
    private final WorkerLink<ToWorker, ToDaemon> daemon = WorkerLink.ofDaemon(pair.first());
    private final WorkerLink<ToDaemon, ToWorker> worker = WorkerLink.ofWorker(pair.second());

    WorkerLinkTest() throws IOException {}

    @AfterEach
    void closeBoth() {
        daemon.close();
        worker.close();
    }

    /** How many descriptors of a shared memory this process has. */
    private static long descriptorsOf(String name) throws IOException {
        long count = 0;
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            for (Path each : files.toList()) {
                count += isOf(each, name) ? 1 : 0;
            }
        }
        return count;
    }

    private static boolean isOf(Path descriptor, String name) throws IOException {
        try {
            return Files.readSymbolicLink(descriptor).toString().contains(name);
        } catch (NoSuchFileException e) {
            return false; // closed by another thread meanwhile
        }
    }

    @Test
    void messagesComeWithTheirDescriptors() throws IOException {
        daemon.send(new Close(3, "why not"));
        daemon.send(new Open(4, "program", 5, 6), 0, 1);
        assertEquals(new Close(3, "why not"), worker.receive().orElseThrow().message());
        WorkerLink.Received<ToWorker> open = worker.receive().orElseThrow();
        assertEquals(new Open(4, "program", 5, 6), open.message());
        assertEquals(2, open.descriptors().length);
        for (int each : open.descriptors()) {
            Descriptors.close(each);
        }
        assertTrue(daemon.trySend(new AskUsage()));
        assertEquals(new AskUsage(), worker.receive().orElseThrow().message());
        assertArrayEquals(new int[0], received(new Ready()).descriptors());
    }

    private WorkerLink.Received<ToDaemon> received(ToDaemon message) throws IOException {
        worker.send(message);
        return daemon.receive().orElseThrow();
    }

    @Test
    void nobodySendsWithOtherDescriptors() {
        assertThrows(IllegalArgumentException.class, () -> daemon.send(new Open(1, "", 2, 3), 0));
        assertThrows(IllegalArgumentException.class, () -> daemon.send(new AskUsage(), 0));
    }

    /** A worker that was taken over may send anything. */
    @Test
    void whatIsNoMessageIsRefusedAndItsDescriptorsAreClosed() throws IOException {
        String name = "link-test-" + System.nanoTime();
        byte[][] packets = {
            {1}, {0, 0}, {-1, -1, 3}, new Close(1, "for the other").encode(), new byte[60_000]
        };
        try (SharedMemoryUnsafe memory = SharedMemoryUnsafe.create(name, 4096)) {
            for (byte[] packet : packets) {
                pair.second().send(packet, memory.descriptor(), memory.descriptor());
                assertThrows(IOException.class, daemon::receive);
            }
            pair.second().send(new Stopped(1).encode(), memory.descriptor());
            IOException refusal = assertThrows(IOException.class, daemon::receive);
            assertTrue(String.valueOf(refusal.getMessage()).contains("1 descriptors"));
            pair.second().send(new byte[70_000], memory.descriptor());
            assertThrows(IOException.class, daemon::receive);
            assertEquals(1, descriptorsOf(name), "ours");
        }
        assertEquals(new Stopped(1), received(new Stopped(1)).message());
    }

    @Test
    void whatMustComeNextIsWaitedFor() throws IOException {
        worker.send(new Warm(1, ""));
        assertEquals(new Warm(1, ""), daemon.expect(Warm.class, Duration.ofMinutes(1)));
        worker.send(new Ready());
        IOException other =
                assertThrows(
                        IOException.class, () -> daemon.expect(Warm.class, Duration.ofMinutes(1)));
        assertEquals("a worker said 'Ready' instead of 'Warm'", other.getMessage());
        assertThrows(IOException.class, () -> daemon.expect(Warm.class, Duration.ZERO));
        worker.close();
        assertEquals(Optional.empty(), daemon.receive());
        assertThrows(IOException.class, () -> daemon.expect(Warm.class, Duration.ofMinutes(1)));
    }
}
