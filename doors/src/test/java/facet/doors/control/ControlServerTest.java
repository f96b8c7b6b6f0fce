package facet.doors.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.doors.events.Events;
import facet.doors.events.Kind;
import facet.doors.history.History;
import facet.doors.metrics.Figures;
import facet.log.Log;
import facet.log.Who;
import facet.sched.Terms;
import facet.slices.Settings;
import facet.slices.Slice;
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
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(300)
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
        @Override
        public Map<String, Object> pool() {
            return Map.of("joined", false);
        }

        @Override
        public List<Map<String, Object>> elsewhere() {
            return List.of();
        }

        @Override
        public Map<String, Object> makePool(Optional<String> listen, Optional<String> node) {
            return pool();
        }

        @Override
        public Map<String, Object> joinPool(
                List<String> seeds, String token, Optional<String> listen, Optional<String> node) {
            return pool();
        }

        @Override
        public void leavePool(boolean force) {}

        @Override
        public Map<String, Object> drainPool(boolean drains) {
            return pool();
        }

        final AtomicInteger askedForEvents = new AtomicInteger();
        private final Events events = new Events(new Log(System.out, Log.Level.DEBUG));
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
        public Map<String, Object> explain(String slice) {
            return Map.of("slice", slice, "engine", "forwarded");
        }

        @Override
        public List<Map<String, Object>> unsupported() {
            return List.of();
        }

        @Override
        public Map<String, Object> live() {
            return Map.of();
        }

        @Override
        public History history() {
            throw new UnsupportedOperationException("nobody asks for it here");
        }

        @Override
        public Figures figures() {
            throw new UnsupportedOperationException("nobody asks for it here");
        }

        @Override
        public Events events() {
            askedForEvents.incrementAndGet();
            return events;
        }

        @Override
        public Settings.Whole whole() {
            return new Settings.Whole(1L << 30, 1);
        }

        private record Done(Slice slice, Path socket) implements Made {}

        @Override
        public Made create(Slice slice, String user) throws ControlException {
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
        public Optional<Made> startContainer(
                String id, int pid, String config, Optional<String> kept) {
            calls.add("start " + id + " " + pid + " " + config + kept.orElse(""));
            Slice slice = new Slice("its", 1 << 30, 1, Terms.fixed(30));
            return config.equals("{}")
                    ? Optional.empty()
                    : Optional.of(new Done(slice, Path.of("/slices/its/socket")));
        }

        @Override
        public Optional<DirectFiles> directFiles(Slice slice) {
            return Optional.of(
                    new DirectFiles(Path.of("/"), Optional.empty(), List.of("/dev/a", "/dev/b")));
        }

        @Override
        public Map<String, String> deviceFiles(int device) {
            return Map.of("/root/dev/x" + device, "/dev/x" + device);
        }

        @Override
        public boolean endContainer(String id) {
            return id.equals("there");
        }

        @Override
        public Configured configureContainer(String config, String hook) {
            return new Configured(true, config + hook);
        }

        @Override
        public void managePods(String runtime) {
            calls.add("manage " + runtime);
        }

        @Override
        public Change placePod(PodContainer which, String name, Settings settings) {
            calls.add("place " + which + " " + name + " " + settings.values());
            return new Change(name, Change.Action.CREATED, List.of());
        }

        @Override
        public boolean forgetPod(String pod) {
            return pod.equals("there");
        }

        @Override
        public List<Map<String, Object>> pods() {
            return List.of(Map.of("pod", "there"));
        }

        @Override
        public String podsManagedBy() {
            return "containerd";
        }

        @Override
        public Change keep(String name, Settings settings) {
            calls.add("keep " + name + " " + settings.values());
            return new Change(
                    name,
                    Change.Action.CREATED,
                    List.of(new Change.Difference("compute", "", "30%")));
        }

        @Override
        public Change change(String name, Settings settings) {
            calls.add("change " + name + " " + settings.values());
            return new Change(
                    name,
                    Change.Action.CHANGED,
                    List.of(new Change.Difference("memory", "1GiB", "2GiB")));
        }

        @Override
        public Change delete(String name, boolean force) throws ControlException {
            if (!force) {
                throw new ControlException("2 programs use it");
            }
            calls.add("delete " + name);
            return new Change(name, Change.Action.DELETED, List.of());
        }

        @Override
        public List<Change> apply(String document, boolean prune, boolean force, boolean dryRun) {
            calls.add("apply " + document.length() + " " + prune + " " + force + " " + dryRun);
            return List.of(new Change("a", Change.Action.UNCHANGED, List.of()));
        }

        @Override
        public Map<String, Object> explainPlace(String name, Settings settings)
                throws ControlException {
            if (name.equals("nobody")) {
                throw new ControlException("there is no slice 'nobody'");
            }
            calls.add("explain " + name + " " + settings.values());
            return Map.of("fits", 2, "summary", List.of("2 devices have room for it"));
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
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
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
    void explainsWithAndWithoutAName() throws Exception {
        try (Client client = new Client()) {
            String answer = client.ask("explain memory=2g compute=30%25");
            assertTrue(answer.contains("\"fits\":2"), answer);
            assertTrue(client.ask("explain name=a").contains("\"ok\":true"));
        }
        assertEquals(List.of("explain  {MEMORY=2GiB, COMPUTE=30%}", "explain a {}"), node.calls);
    }

    @Test
    void whoWaitsForEventsHearsOfTheEnd() throws Exception {
        int before = node.askedForEvents.get();
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            channel.write(
                    ByteBuffer.wrap(
                            "events since=0 wait=60000\n".getBytes(StandardCharsets.UTF_8)));
            while (node.askedForEvents.get() == before) {
                Thread.sleep(5);
            }
            node.events().add(Kind.DAEMON_STOPPING, Who.part("facetd"), "goes down");
            server.close();
            BufferedReader lines =
                    new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
            String answer = String.valueOf(lines.readLine());
            assertTrue(answer.contains("\"kind\":\"daemon-stopping\""), answer);
            assertTrue(answer.contains("\"lastEvent\":1"), answer);
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
                    "{\"ok\":true,\"devices\":[{\"name\":\"a \\\"quoted\\\" device\\n\"}],\"elsewhere\":[]}",
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
                "runn|did you mean 'run'?",
                "run memoy=1|it takes calendar, compute, device, devices, engine, isolation, memory, model, multiprocessors",
                "run policy=none|there are fixed, burst, priority, time-slice, tidal",
                "run policy=tidal|needs a calendar",
                "run compute=3 turn=20|is no length of time",
                "run compute=3 policy=burst turn=20ms|a turn is for the policy time-slice",
                "run calendar=mon|is no line of a calendar",
                "run calendar=daily%2008:00-09:00%201 timeZone=Mars|is no time zone",
                "run policy=fixed|a fixed slice needs compute",
                "slice-create memory=1G|slice-create without 'name'",
                "slice-set name=a|nothing to set; say one of memory",
                "explain name=nobody|there is no slice 'nobody'",
                "explain color=red|color",
                "slice-delete name=a|2 programs use it",
                "slice-delete name=a force=yes|force is true or false",
                "apply|apply without 'document'",
                "run memory=lots|is no size",
                "run memory=%zz|not percent-encoded",
                "run compute=200|0 to 100 percent",
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
            client.send("x".repeat((1 << 20) + 1));
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
                            + "\"memory\":2147483648,\"compute\":30,\"policy\":\"fixed\","
                            + "\"engine\":\"forwarded\"}",
                    answer);
            assertEquals(1, node.calls.size());
        }
        long end = System.nanoTime() + 60_000_000_000L;
        while (node.calls.size() < 2 && System.nanoTime() < end) {
            Thread.sleep(1);
        }
        assertEquals("remove my-program", node.calls.get(1));
    }

    @Test
    void containersGetSlicesAndLoseThem() throws IOException {
        try (Client client = new Client()) {
            assertEquals(
                    "{\"ok\":true,\"wanted\":true,\"slice\":\"its\",\"folder\":\"/slices/its\","
                            + "\"memory\":1073741824,\"compute\":30,\"policy\":\"fixed\","
                            + "\"direct\":{\"root\":\"/\",\"libraries\":\"\","
                            + "\"devices\":\"/dev/a\\n/dev/b\"}}",
                    client.ask("container-create id=c1 pid=12 config=%7B%22a%22:1%7D rootfs=/r"));
            assertEquals("start c1 12 {\"a\":1}", node.calls.getFirst());
            assertEquals(
                    "{\"ok\":true,\"wanted\":false}",
                    client.ask("container-create id=c2 pid=12 config=%7B%7D"));
            assertEquals("{\"ok\":true,\"removed\":true}", client.ask("container-delete id=there"));
            assertEquals("{\"ok\":true,\"removed\":false}", client.ask("container-delete id=not"));
            assertEquals(
                    "{\"ok\":true,\"wanted\":true,\"config\":\"{\\\"a\\\":1}/hook\"}",
                    client.ask("container-config config=%7B%22a%22:1%7D hook=/hook"));
            assertEquals(
                    "{\"ok\":true,\"files\":{\"/root/dev/x7\":\"/dev/x7\"}}",
                    client.ask("container-files device=7"));
            assertEquals(
                    "{\"ok\":false,\"error\":\"device is the number of a device, not -1\"}",
                    client.ask("container-files device=-1"));
            assertEquals(
                    "{\"ok\":false,\"error\":\"pid is the number of a process, not 0\"}",
                    client.ask("container-create id=c1 pid=0 config=%7B%7D"));
            assertEquals(
                    "{\"ok\":false,\"error\":\"container-create without 'config'\"}",
                    client.ask("container-create id=c1 pid=1"));
        }
    }

    @Test
    void keptSlicesAreMadeChangedAndDeleted() throws IOException {
        try (Client client = new Client()) {
            assertEquals(
                    "{\"ok\":true,\"slice\":\"a\",\"action\":\"created\",\"changes\":"
                            + "[{\"key\":\"compute\",\"to\":\"30%\"}]}",
                    client.ask("slice-create name=a compute=30%25 memory=1024M turn=0.02s"));
            assertEquals(
                    "{\"ok\":true,\"slice\":\"a\",\"action\":\"changed\",\"changes\":"
                            + "[{\"key\":\"memory\",\"from\":\"1GiB\",\"to\":\"2GiB\"}]}",
                    client.ask("slice-set name=a memory=2g policy=BURST"));
            assertEquals(
                    "{\"ok\":true,\"slice\":\"a\",\"action\":\"deleted\",\"changes\":[]}",
                    client.ask("slice-delete name=a force=true"));
        }
        assertEquals(
                List.of(
                        "keep a {MEMORY=1GiB, COMPUTE=30%, TURN=20ms}",
                        "change a {MEMORY=2GiB, POLICY=burst}", "delete a"),
                node.calls);
    }

    @Test
    void aDocumentComesInOneLine() throws IOException {
        try (Client client = new Client()) {
            String document = "%23".repeat(200 << 10);
            assertEquals(
                    "{\"ok\":true,\"slices\":[{\"slice\":\"a\",\"action\":\"unchanged\","
                            + "\"changes\":[]}]}",
                    client.ask("apply dryRun=true document=" + document));
        }
        assertEquals(List.of("apply 204800 false false true"), node.calls);
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
