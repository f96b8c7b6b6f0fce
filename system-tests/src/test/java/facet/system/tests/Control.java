package facet.system.tests;

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

/** The daemon's control socket. Slices made through it live as long as it does. */
final class Control implements AutoCloseable {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final SocketChannel channel;
    private final BufferedReader lines;

    private Control(SocketChannel channel) {
        this.channel = channel;
        this.lines = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
    }

    static Control open(Path socket) throws IOException {
        return new Control(SocketChannel.open(UnixDomainSocketAddress.of(socket)));
    }

    JsonNode ask(String line) throws IOException {
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

    /** The socket of a new slice. */
    String slice(String name, String memory) throws IOException {
        return ask("run name=" + name + " memory=" + memory).path("socket").asText();
    }

    /** The same, for programs of the direct engine. */
    String directSlice(String name, String memory) throws IOException {
        return ask("run name=" + name + " memory=" + memory + " engine=direct")
                .path("socket")
                .asText();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
