package facet.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.device.cpu.CpuDevice;
import facet.device.cpu.CpuDevices;
import facet.doors.events.Events;
import facet.host.ledger.Tally;
import facet.host.session.SessionOptions;
import facet.log.Log;
import facet.os.Connection;
import facet.os.SocketKind;
import facet.ring.SessionMemory;
import facet.sched.Terms;
import facet.slices.DeviceSet;
import facet.slices.Slice;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A program that connects while its slice is deleted. */
@Timeout(60)
final class LateClientTest {
    @TempDir private Path folder;
    private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
    private final CountDownLatch greeted = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);

    /** Holds the client up between its greeting and its session, until the slice is gone. */
    private final class Slow implements HostPlace {
        private final Tally tally = new Tally();
        private boolean ready;

        @Override
        public Tally tally() {
            if (ready) {
                greeted.countDown();
                try {
                    closed.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            ready = true;
            return tally;
        }

        @Override
        public HostedSession open(
                SessionOptions options, SessionMemory memory, Connection connection, Runnable atEnd)
                throws IOException {
            throw new IOException("too late");
        }

        @Override
        public void change(Slice slice) {}

        @Override
        public void close() {
            closed.countDown();
        }
    }

    /** Welcomes clients, and hosts none of them until it is closed. */
    private final class NotReady implements HostPlace {
        private final Tally tally = new Tally();

        @Override
        public Tally tally() {
            return tally;
        }

        @Override
        public boolean prepare() {
            return false;
        }

        @Override
        public HostedSession open(
                SessionOptions options, SessionMemory memory, Connection connection, Runnable atEnd)
                throws IOException {
            try {
                closed.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            throw new IOException("too late");
        }

        @Override
        public void change(Slice slice) {}

        @Override
        public void close() {
            closed.countDown();
        }
    }

    private SliceServer open(HostPlace place) throws IOException {
        Log log = new Log(new PrintStream(lines, true, StandardCharsets.UTF_8), Log.Level.DEBUG);
        return SliceServer.open(
                new Slice("late", 1 << 20, 1, Terms.REST).withDevices(DeviceSet.first(1)),
                List.of(
                        new LazyDevice(
                                new CpuDevices(),
                                Optional.empty(),
                                CpuDevice.profile("test", 1L << 30, 1),
                                1,
                                Optional.empty())),
                folder,
                (slice, devices, ledger) -> place,
                new Events(log),
                log);
    }

    @Test
    void isCountedBeforeItIsHosted() throws Exception {
        SliceServer server = open(new NotReady());
        try (Connection client = Connection.connect(server.socket(), SocketKind.PACKETS)) {
            client.send(TestClient.hello("test"));
            client.receive(4096).orElseThrow().closeDescriptors();
            assertEquals(1, server.programs());
            assertEquals(List.of(), server.sessions());
        } finally {
            server.close();
        }
    }

    @Test
    void isToldSo() throws Exception {
        SliceServer server = open(new Slow());
        try (Connection client = Connection.connect(server.socket(), SocketKind.PACKETS)) {
            client.send(TestClient.hello("test"));
            greeted.await();
            Ending ending = server.end(true, () -> {});
            byte[] answer = client.receive(4096).orElseThrow().bytes();
            assertTrue(
                    TestClient.message(answer).contains("has just been deleted"),
                    () -> TestClient.message(answer));
            assertTrue(ending.await(Duration.ofSeconds(50)));
        }
        assertFalse(Files.exists(folder.resolve("late")));
        String said = lines.toString(StandardCharsets.UTF_8);
        assertFalse(said.contains(" error "), said);
    }
}
