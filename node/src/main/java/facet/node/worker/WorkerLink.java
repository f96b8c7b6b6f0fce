package facet.node.worker;

import facet.doors.control.ControlException;
import facet.doors.control.Request;
import facet.os.Connection;
import facet.os.Descriptors;
import facet.os.Message;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Lines with descriptors between daemon and worker. Any thread may send, one receives. */
final class WorkerLink implements AutoCloseable {
    static final int LONGEST = 64 << 10;

    private final Connection connection;

    WorkerLink(Connection connection) {
        this.connection = connection;
    }

    /** What came. */
    record Received(Request request, int[] descriptors) {
        /** For words that bring none. */
        void closeDescriptors() {
            for (int each : descriptors) {
                Descriptors.close(each);
            }
        }
    }

    /**
     * @param values keys and values in turn
     */
    void send(String verb, int[] descriptors, Object... values) throws IOException {
        Map<String, String> map = new LinkedHashMap<>();
        for (int i = 0; i < values.length; i += 2) {
            map.put(String.valueOf(values[i]), String.valueOf(values[i + 1]));
        }
        send(new Request(verb, map), descriptors);
    }

    void send(Request request, int... descriptors) throws IOException {
        connection.send(request.line().getBytes(StandardCharsets.UTF_8), descriptors);
    }

    /** Sends unless that would block; false when the other side does not read. */
    boolean trySend(Request request) throws IOException {
        return connection.trySend(request.line().getBytes(StandardCharsets.UTF_8));
    }

    /** Waits for a word that must come next. */
    Request expect(String verb, Duration patience) throws IOException {
        if (!connection.awaitReadable(patience)) {
            throw new IOException(
                    "a worker does not say '" + verb + "' within " + patience.toSeconds() + " s");
        }
        Received received =
                receive()
                        .orElseThrow(() ->
                                new IOException(
                                        "a worker has ended before it said '"
                                                + verb
                                                + "'; its log says why"));
        received.closeDescriptors();
        if (!received.request().verb().equals(verb)) {
            throw new IOException(
                    "a worker said '" + received.request().verb() + "' instead of '" + verb + "'");
        }
        return received.request();
    }

    /** Empty when the other side is gone. */
    Optional<Received> receive() throws IOException {
        Optional<Message> message = connection.receive(LONGEST);
        if (message.isEmpty()) {
            return Optional.empty();
        }
        try {
            String line = new String(message.get().bytes(), StandardCharsets.UTF_8);
            return Optional.of(new Received(Request.parse(line), message.get().descriptors()));
        } catch (ControlException e) {
            message.get().closeDescriptors();
            throw new IOException("a message that cannot be read: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
