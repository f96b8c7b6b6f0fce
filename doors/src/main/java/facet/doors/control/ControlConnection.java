package facet.doors.control;

import facet.doors.events.Events;
import facet.doors.events.Kind;
import facet.log.Log;
import facet.log.Who;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One connection: lines in, lines out, and the slices that live as long as it does. */
final class ControlConnection {
    private static final int MOST_DRAINED = 64;
    private static final int DRAINED_BYTES = 64 << 10;

    /** Verbs that change nothing. All others are noted, with who asked. */
    private static final Set<String> READING =
            Set.of(
                    "status",
                    "devices",
                    "slices",
                    "sessions",
                    "ps",
                    "events",
                    "explain",
                    "pods",
                    "container-config");

    private final SocketChannel channel;
    private final Operations operations;
    private final Events events;
    private final Log log;
    private final String user;
    private final List<String> slices = new ArrayList<>();
    private boolean stops;

    /**
     * @param events for what is refused
     * @param user who asks, as the kernel says
     */
    ControlConnection(
            SocketChannel channel, Operations operations, Events events, Log log, String user) {
        this.channel = channel;
        this.events = events;
        this.operations = operations;
        this.log = log;
        this.user = user;
    }

    void serve() throws IOException {
        try {
            LineReader lines = new LineReader(channel);
            while (true) {
                String line = lines.next();
                if (line == null) {
                    return;
                }
                if (!line.isBlank()) {
                    send(answer(line));
                }
                if (stops) {
                    stops = false;
                    operations.stop();
                }
            }
        } catch (ControlException e) {
            // Where the next request begins is not known any more.
            send(failure(e));
            drain();
        } finally {
            slices.forEach(operations::remove);
        }
    }

    /** Closing with something unread would take the answer back. */
    private void drain() throws IOException {
        channel.shutdownOutput();
        ByteBuffer rest = ByteBuffer.allocate(DRAINED_BYTES);
        for (int i = 0; i < MOST_DRAINED && channel.read(rest.clear()) >= 0; i++) {}
    }

    private void send(Map<String, Object> answer) throws IOException {
        ByteBuffer bytes =
                ByteBuffer.wrap((Json.line(answer) + "\n").getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    private Map<String, Object> answer(String line) {
        Request request = null;
        try {
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("ok", true);
            request = Request.parse(line);
            answer.putAll(perform(request));
            if (!READING.contains(request.verb())) {
                log.info("control", "user " + user + ": " + request.verb() + named(request));
            }
            return answer;
        } catch (ControlException | IllegalArgumentException e) {
            if (request != null && !READING.contains(request.verb())) {
                refused(request, String.valueOf(e.getMessage()));
            }
            return failure(e);
        } catch (RuntimeException e) {
            log.error("control", "'" + line.split(" ", 2)[0] + "' failed: " + e);
            return failure(e);
        }
    }

    /** Asked well or badly: somebody wanted a change and did not get it. */
    private void refused(Request request, String why) {
        if (Verbs.isKnown(request.verb())) {
            events.add(
                    Kind.REFUSED,
                    Who.part("control"),
                    "user " + user + ": " + request.verb() + named(request) + ": " + why);
        }
    }

    private static String named(Request request) {
        return request.value("name")
                .or(() -> request.value("id"))
                .map(name -> " " + name)
                .orElse("");
    }

    private static Map<String, Object> failure(Exception e) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("ok", false);
        answer.put("error", String.valueOf(e.getMessage()));
        return answer;
    }

    private Map<String, Object> perform(Request request) throws ControlException {
        Verb verb = Verbs.named(request.verb());
        request.allow(verb.keys());
        return verb.action().perform(request, this);
    }

    /** Who asks, as the kernel says. */
    String user() {
        return user;
    }

    Operations operations() {
        return operations;
    }

    /** A slice that goes when this connection does. */
    void own(String slice) {
        slices.add(slice);
    }

    /** The daemon stops once the answer is on its way. */
    void stopSoon() {
        stops = true;
    }
}
