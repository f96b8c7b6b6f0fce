package facet.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import facet.cli.selftest.Connection;
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

/** A connection to the daemon's control socket: a line out, a line of JSON back. */
final class Control implements Connection {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final SocketChannel channel;
    private final BufferedReader lines;

    private Control(SocketChannel channel) {
        this.channel = channel;
        this.lines = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
    }

    static Control open(Path directory) {
        Trust trust = Trust.ofThisUser();
        try {
            trust.check(directory);
            SocketChannel channel =
                    SocketChannel.open(UnixDomainSocketAddress.of(directory.resolve("control")));
            try {
                trust.check(directory, channel);
            } catch (IOException | CommandFailure e) {
                channel.close();
                throw e;
            }
            return new Control(channel);
        } catch (IOException e) {
            throw new CommandFailure(
                    "no daemon answers in "
                            + directory
                            + "; start one with 'facet up', or set FACET_RUNTIME_DIR to where"
                            + " yours runs",
                    e);
        }
    }

    /** The answer, which is an object. What the daemon refuses is thrown with its own words. */
    @Override
    public JsonNode ask(String verb, Map<String, String> arguments) {
        StringBuilder line = new StringBuilder(verb);
        arguments.forEach((name, value) ->
                line.append(' ')
                        .append(name)
                        .append('=')
                        .append(
                                URLEncoder.encode(value, StandardCharsets.UTF_8)
                                        .replace("+", "%20")));
        try {
            ByteBuffer bytes =
                    ByteBuffer.wrap(line.append('\n').toString().getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            String answer = lines.readLine();
            if (answer == null) {
                throw new CommandFailure("the daemon has ended; 'facet up' starts it");
            }
            JsonNode node = Plain.of(MAPPER.readTree(answer));
            if (!node.path("ok").asBoolean()) {
                throw new CommandFailure(node.path("error").asText("the daemon refused"));
            }
            return node;
        } catch (JsonProcessingException e) {
            throw new CommandFailure("the daemon's answer to '" + verb + "' cannot be read", e);
        } catch (IOException e) {
            throw new CommandFailure("the daemon does not answer: " + e.getMessage(), e);
        }
    }

    JsonNode ask(String verb) {
        return ask(verb, Map.of());
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new CommandFailure("the connection cannot be closed: " + e.getMessage(), e);
        }
    }
}
