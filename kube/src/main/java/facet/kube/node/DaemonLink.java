package facet.kube.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
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

/** A connection to the control socket of the node's daemon; docs/api.md has its verbs. */
public final class DaemonLink implements AutoCloseable {
    private static final JsonMapper MAPPER = new JsonMapper();

    /** The daemon understood, and said no. */
    public static final class Refused extends IOException {
        private static final long serialVersionUID = 1L;

        Refused(String message) {
            super(message);
        }
    }

    private final SocketChannel channel;
    private final BufferedReader lines;

    private DaemonLink(SocketChannel channel) {
        this.channel = channel;
        lines = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
    }

    /**
     * @param directory the daemon's runtime directory
     */
    public static DaemonLink open(Path directory) throws IOException {
        return new DaemonLink(
                SocketChannel.open(UnixDomainSocketAddress.of(directory.resolve("control"))));
    }

    public JsonNode ask(String verb) throws IOException {
        return ask(verb, Map.of());
    }

    public JsonNode ask(String verb, Map<String, String> values) throws IOException {
        StringBuilder line = new StringBuilder(verb);
        values.forEach(
                (key, value) -> line.append(' ').append(key).append('=').append(encoded(value)));
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(line.append('\n').toString());
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
        String answer = lines.readLine();
        if (answer == null) {
            throw new IOException("the daemon has ended");
        }
        JsonNode node = MAPPER.readTree(answer);
        if (!node.path("ok").asBoolean()) {
            throw new Refused(node.path("error").asText("the daemon refused"));
        }
        return node;
    }

    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
