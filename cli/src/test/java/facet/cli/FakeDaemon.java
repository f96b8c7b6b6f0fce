package facet.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Answers each verb with a line given before, and keeps what it was asked. */
final class FakeDaemon implements AutoCloseable {
    private final ServerSocketChannel server;
    private final Map<String, String> answers;
    final List<String> asked = new CopyOnWriteArrayList<>();

    FakeDaemon(Path directory, Map<String, String> answers) throws IOException {
        this.answers = answers;
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(directory.resolve("control")));
        Thread.ofVirtual().start(this::serve);
    }

    private void serve() {
        while (true) {
            try (SocketChannel channel = server.accept()) {
                BufferedReader lines =
                        new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    asked.add(line);
                    String verb = line.split(" ", 2)[0];
                    String answer =
                            answers.getOrDefault(verb, "{\"ok\":false,\"error\":\"no such verb\"}");
                    channel.write(
                            ByteBuffer.wrap((answer + "\n").getBytes(StandardCharsets.UTF_8)));
                }
            } catch (ClosedChannelException e) {
                return;
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
