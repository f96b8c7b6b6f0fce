package facet.node.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.node.log.Log;
import facet.node.slice.Slice;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class ControlServerTest {
    private final Fake node = new Fake();
    private final ControlServer server;
    private final Path socket;

    ControlServerTest(@TempDir Path folder) throws IOException {
        socket = folder.resolve("control");
        server = ControlServer.open(socket, node, new Log(System.out, Log.Level.DEBUG));
    }

    @AfterEach
    void close() {
        server.close();
    }

    /** Remembers what was asked. */
    private static final class Fake implements Operations {
        private final List<String> calls = Collections.synchronizedList(new ArrayList<>());

        @Override
        public Map<String, Object> status() {
            return Map.of("pid", 7L);
        }

        @Override
        public List<Map<String, Object>> devices() {
            return List.of(Map.of("name", "a \"quoted\" device\n"));
        }

        @Override
        public List<Map<String, Object>> slices() {
            throw new IllegalStateException("broken");
        }

        @Override
        public List<Map<String, Object>> sessions() {
            return List.of();
        }

        @Override
        public long defaultMemory() {
            return 1L << 30;
        }

        private record Done(Slice slice, Path socket) implements Made {}

        @Override
        public Made create(Slice slice) throws ControlException {
            if (slice.name().equals("full")) {
                throw new ControlException("no room");
            }
            calls.add("create " + slice);
            return new Done(slice, Path.of("/slices", slice.name()));
        }

        @Override
        public void remove(String slice) {
            calls.add("remove " + slice);
        }

        @Override
        public void stop() {
            calls.add("stop");
        }
    }

    private final class Client implements AutoCloseable {
        private final SocketChannel channel =
                SocketChannel.open(UnixDomainSocketAddress.of(socket));
        private final BufferedReader lines =
                new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));

        Client() throws IOException {}

        void send(String text) throws IOException {
            channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        }

        String ask(String line) throws IOException {
            send(line + "\n");
            return String.valueOf(lines.readLine());
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    @Test
    void onlyItsOwnerCanConnect() throws IOException {
        assertEquals(
                "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)));
    }

    @Test
    void manyRequestsOnManyConnections() throws IOException {
        try (Client one = new Client();
                Client two = new Client()) {
            assertEquals("{\"ok\":true,\"pid\":7}", one.ask("status"));
            assertEquals("{\"ok\":true,\"sessions\":[]}", two.ask("ps"));
            assertEquals(
                    "{\"ok\":true,\"devices\":[{\"name\":\"a \\\"quoted\\\" device\\n\"}]}",
                    one.ask("devices"));
            one.send("sta");
            assertEquals("{\"ok\":true,\"pid\":7}", two.ask("status"));
            assertEquals("{\"ok\":true,\"pid\":7}", one.ask("tus\r"));
            one.send("status\nstatus\n");
            assertEquals("{\"ok\":true,\"pid\":7}", one.lines.readLine());
            assertEquals("{\"ok\":true,\"pid\":7}", one.lines.readLine());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "fly|there is no verb 'fly'",
                "status now|not key=value",
                "status x=1|it takes none",
                "run memory=1 memory=2|given twice",
                "run memoy=1|it takes compute, devices, memory, name",
                "run memory=lots|is no size",
                "run memory=%zz|not percent-encoded",
                "run compute=200|1 to 100 percent",
                "run compute=x|whole number",
                "run devices=0|0 devices",
                "run name=full|no room",
                "slices|broken"
            })
    void whatIsWrongIsSaid(String line, String error) throws IOException {
        try (Client client = new Client()) {
            String answer = client.ask(line);
            assertTrue(answer.startsWith("{\"ok\":false,\"error\":\""), answer);
            assertTrue(answer.contains(error), answer);
            assertEquals("{\"ok\":true,\"pid\":7}", client.ask("status"));
        }
    }

    @Test
    void aLineWithoutEndIsRefused() throws IOException {
        try (Client client = new Client()) {
            client.send("x".repeat(20 << 10));
            assertTrue(client.lines.readLine().contains("a line of more than"));
            client.channel.shutdownOutput();
            assertEquals(null, client.lines.readLine());
        }
    }

    @Test
    void aSliceLivesAsLongAsItsConnection() throws Exception {
        try (Client client = new Client()) {
            String answer = client.ask("run name=my%20program memory=2G compute=30");
            assertEquals(
                    "{\"ok\":true,\"slice\":\"my-program\",\"socket\":\"/slices/my-program\","
                            + "\"memory\":2147483648,\"compute\":30}",
                    answer);
            assertEquals(1, node.calls.size());
        }
        long end = System.nanoTime() + 10_000_000_000L;
        while (node.calls.size() < 2 && System.nanoTime() < end) {
            Thread.sleep(1);
        }
        assertEquals("remove my-program", node.calls.get(1));
    }

    @Test
    void downIsPassedOn() throws IOException {
        try (Client client = new Client()) {
            assertEquals("{\"ok\":true}", client.ask("down"));
            client.ask("status");
            assertEquals(List.of("stop"), node.calls);
        }
    }
}
