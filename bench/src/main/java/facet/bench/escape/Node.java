package facet.bench.escape;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** The control socket of a daemon, and a slice that lives as long as this. */
final class Node implements AutoCloseable {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final SocketChannel channel;
    private final BufferedReader lines;
    private final String slice;
    private final String socket;

    /**
     * @param wanted of the slice: {@code memory=64M compute=20}
     */
    Node(Path runtimeDirectory, String name, String wanted) throws IOException {
        channel =
                SocketChannel.open(UnixDomainSocketAddress.of(runtimeDirectory.resolve("control")));
        lines = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
        JsonNode made = ask("run name=" + name + " " + wanted);
        slice = made.path("slice").asText();
        socket = made.path("socket").asText();
    }

    private JsonNode ask(String line) throws IOException {
        channel.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
        String answer = lines.readLine();
        if (answer == null) {
            throw new IOException("the daemon ended while it was asked '" + line + "'");
        }
        JsonNode node = MAPPER.readTree(answer);
        if (!node.path("ok").asBoolean()) {
            throw new IOException("'" + line + "' was refused: " + node.path("error").asText());
        }
        return node;
    }

    String socket() {
        return socket;
    }

    /** A figure of the slice, as {@code facet slices -o json} has it; 0 where it has none. */
    long figure(String key) throws IOException {
        return row().path(key).asLong();
    }

    private JsonNode row() throws IOException {
        for (JsonNode each : ask("slices").path("slices")) {
            if (each.path("name").asText().equals(slice)) {
                return each;
            }
        }
        throw new IOException("slice " + slice + " is gone");
    }

    /** The processes that execute what the slice asks for: the daemon, and its worker's. */
    List<Long> processes() throws IOException {
        long daemon = ask("status").path("pid").asLong();
        long worker = figure("workerPid");
        return worker == 0 ? List.of(daemon) : List.of(daemon, worker);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
