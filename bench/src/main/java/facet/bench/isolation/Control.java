package facet.bench.isolation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** A connection to the control socket; slices that it asks for live as long as it does. */
public final class Control implements AutoCloseable {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final SocketChannel channel;
    private final BufferedReader lines;

    public Control(Path directory) throws IOException {
        channel = SocketChannel.open(UnixDomainSocketAddress.of(directory.resolve("control")));
        lines = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
    }

    public JsonNode ask(String verb, Map<String, String> arguments) throws IOException {
        StringBuilder line = new StringBuilder(verb);
        arguments.forEach((name, value) ->
                line.append(' ')
                        .append(name)
                        .append('=')
                        .append(URLEncoder.encode(value, StandardCharsets.UTF_8)));
        ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
        String answer = lines.readLine();
        if (answer == null) {
            throw new IOException("the daemon ended while it was asked '" + line + "'");
        }
        JsonNode node = MAPPER.readTree(answer);
        if (!node.path("ok").asBoolean()) {
            throw new IOException(
                    "the daemon refused '" + line + "': " + node.path("error").asText());
        }
        return node;
    }

    /** Device time of the slices of these names up to now, in nanoseconds. */
    long[] deviceNanos(java.util.List<String> names) throws IOException {
        long[] nanos = new long[names.size()];
        for (JsonNode each : ask("slices", Map.of()).path("slices")) {
            int index = names.indexOf(each.path("name").asText());
            if (index >= 0) {
                nanos[index] = each.path("deviceNanos").asLong();
            }
        }
        return nanos;
    }

    boolean has(String slice) throws IOException {
        return row(slice).isPresent();
    }

    /** Where programs of a slice connect. */
    String socket(String slice) throws IOException {
        return row(slice)
                .map(each -> each.path("socket").asText())
                .orElseThrow(() -> new IOException("there is no slice " + slice));
    }

    private Optional<JsonNode> row(String slice) throws IOException {
        for (JsonNode each : ask("slices", Map.of()).path("slices")) {
            if (each.path("name").asText().equals(slice)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
