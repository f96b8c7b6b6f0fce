package facet.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

@Timeout(300)
final class EventsTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final List<String> asked = new CopyOnWriteArrayList<>();

    @TempDir private Path directory = Path.of("");

    private int run(String... arguments) {
        CommandLine facet = Main.commandLine();
        facet.setOut(new PrintWriter(out));
        facet.setErr(new PrintWriter(err));
        List<String> all = new ArrayList<>(List.of("events", "--runtime-dir"));
        all.add(directory.toString());
        all.addAll(List.of(arguments));
        return facet.execute(all.toArray(String[]::new));
    }

    private static String event(long sequence, long time, String kind, String slice, int session) {
        return "{\"sequence\":%d,\"time\":%d,\"kind\":\"%s\",\"slice\":\"%s\"%s,\"text\":\"text %d\"}"
                .formatted(
                        sequence,
                        time,
                        kind,
                        slice,
                        session == 0 ? "" : ",\"session\":" + session,
                        sequence);
    }

    /** Answers with each of the pages, and hangs up when it is asked once more. */
    private ServerSocketChannel daemon(String... pages) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(directory.resolve("control")));
        Thread.ofVirtual()
                .start(() -> {
                    try (SocketChannel channel = server.accept()) {
                        BufferedReader lines =
                                new BufferedReader(
                                        Channels.newReader(channel, StandardCharsets.UTF_8));
                        for (String each : pages) {
                            asked.add(String.valueOf(lines.readLine()));
                            channel.write(
                                    ByteBuffer.wrap(
                                            ("{\"ok\":true,\"events\":[" + each + "]}\n")
                                                    .getBytes(StandardCharsets.UTF_8)));
                        }
                        asked.add(String.valueOf(lines.readLine()));
                    } catch (IOException e) {
                        asked.add(e.toString());
                    }
                });
        return server;
    }

    private List<String> texts() throws IOException {
        List<String> all = new ArrayList<>();
        for (String line : out.toString().lines().toList()) {
            JsonNode event = new ObjectMapper().readTree(line);
            all.add(event.path("text").asText());
        }
        return all;
    }

    @Test
    void allPagesAreAskedFor() throws IOException {
        try (ServerSocketChannel _ =
                daemon(event(4, 1, "slice-created", "a", 0), event(9, 2, "fault", "a", 7), "")) {
            assertEquals(0, run(), err::toString);
        }
        assertTrue(asked.getFirst().contains("since=0"), asked::toString);
        assertTrue(asked.get(1).contains("since=4"), asked::toString);
        assertTrue(asked.get(2).contains("since=9"), asked::toString);
        List<String> lines = out.toString().lines().toList();
        assertEquals(2, lines.size());
        assertTrue(lines.getFirst().endsWith("  slice-created      a                 text 4"));
        assertTrue(lines.get(1).endsWith("  fault              a/7               text 9"));
    }

    @Test
    void sliceKindAndTimeAreChosen() throws IOException {
        long now = System.currentTimeMillis();
        try (ServerSocketChannel _ =
                daemon(
                        event(1, now - 700_000, "fault", "a", 1)
                                + ","
                                + event(2, now, "fault", "b", 1)
                                + ","
                                + event(3, now, "refused", "a", 1)
                                + ","
                                + event(4, now, "session-ended", "a", 1)
                                + ","
                                + event(5, now, "fault", "a", 1),
                        "")) {
            assertEquals(
                    0,
                    run("--slice", "a", "--kind", "fault,refused", "--since", "10m", "-o", "json"),
                    err::toString);
        }
        assertEquals(List.of("text 3", "text 5"), texts());
    }

    @Test
    void aSequenceIsAskedForAsItIs() throws IOException {
        try (ServerSocketChannel _ = daemon("")) {
            assertEquals(0, run("--since", "41"), err::toString);
        }
        assertTrue(asked.getFirst().contains("since=41"), asked::toString);
    }

    @Test
    void whoFollowsSeesTheLastOnesAndWaitsUntilTheDaemonEnds() throws IOException {
        List<String> many = new ArrayList<>();
        for (int i = 1; i <= 25; i++) {
            many.add(event(i, 1, "fault", "a", 0));
        }
        try (ServerSocketChannel _ =
                daemon(String.join(",", many), "", "", event(26, 2, "fault", "a", 0))) {
            assertEquals(1, run("--follow", "-o", "json"));
        }
        assertEquals("text 16", texts().getFirst());
        assertEquals("text 26", texts().getLast());
        assertEquals(11, texts().size());
        assertTrue(asked.get(2).contains("since=25"), asked::toString);
        assertTrue(asked.get(2).contains("wait=30000"), asked::toString);
        assertTrue(asked.get(4).contains("since=26"), asked::toString);
        assertTrue(err.toString().startsWith("facet: the daemon has ended"), err::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--since=yesterday", "--since=10w", "--since=-5", "--kind=faults"})
    void nonsenseIsWrongUsage(String argument) {
        assertEquals(2, run(argument));
        assertTrue(err.toString().contains("not '") || err.toString().contains("no kind"));
    }

    @ParameterizedTest
    @CsvSource({"90s,90000", "10m,600000", "2h,7200000", "1d,86400000"})
    void timesAreCountedBack(String text, long millis) {
        Instant now = Instant.ofEpochMilli(1_700_000_000_000L);
        assertEquals(new Since(0, now.toEpochMilli() - millis), Since.parse(text, now));
        assertEquals(new Since(0, 0), Since.parse("999999999999d", now));
        assertThrows(IllegalArgumentException.class, () -> Since.parse("", now));
    }

    @Test
    void theKindsAreThoseOfTheDocumentation() throws IOException {
        List<String> documented = new ArrayList<>();
        boolean inside = false;
        for (String line : Files.readAllLines(Path.of("../docs/api.md"))) {
            inside =
                    line.startsWith("**kinds of events**")
                            || inside && !line.startsWith("**") && !line.startsWith("#");
            if (inside && line.startsWith("| `")) {
                String cell = line.substring(2, line.indexOf('|', 2));
                for (String each : cell.split(",", -1)) {
                    documented.add(each.strip().replace("`", ""));
                }
            }
        }
        assertEquals(
                EventKinds.ALL.stream().sorted().toList(), documented.stream().sorted().toList());
    }
}
