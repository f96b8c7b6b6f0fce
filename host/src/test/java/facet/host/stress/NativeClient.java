package facet.host.stress;

import facet.abi.Constants;
import facet.abi.CudaWire;
import facet.abi.WelcomeLayout;
import facet.os.Connection;
import facet.os.Listener;
import facet.os.SocketKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The C program, let in as a daemon lets programs in. */
final class NativeClient implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path folder;
    private final Process process;
    private final Connection connection;

    /**
     * @param descriptors of session memory and ledger
     */
    NativeClient(Path program, List<String> arguments, Path folder, int... descriptors)
            throws IOException {
        this.folder = folder;
        Path socket = folder.resolve("socket");
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(arguments);
        try (Listener listener =
                Listener.open(
                        socket,
                        SocketKind.PACKETS,
                        1,
                        PosixFilePermissions.fromString("rw-------"))) {
            ProcessBuilder builder = new ProcessBuilder(command);
            builder.environment().put("FACET_SOCKET", socket.toString());
            builder.environment().put("TSAN_OPTIONS", "exitcode=66");
            builder.redirectOutput(folder.resolve("output").toFile());
            builder.redirectError(folder.resolve("errors").toFile());
            process = builder.start();
            if (!listener.awaitConnection(PATIENCE)) {
                process.destroyForcibly();
                throw new AssertionError(program + " does not connect: " + errors());
            }
            connection = listener.accept().orElseThrow();
        }
        if (connection.receive(4096).isEmpty()) {
            throw new AssertionError(program + " does not greet: " + errors());
        }
        ByteBuffer welcome =
                ByteBuffer.allocate(WelcomeLayout.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        welcome.putInt(WelcomeLayout.MAGIC_OFFSET, Constants.MAGIC);
        welcome.putInt(WelcomeLayout.PROTOCOL_OFFSET, Constants.PROTOCOL);
        welcome.putInt(WelcomeLayout.COMMANDS_OFFSET, CudaWire.COMMANDS);
        welcome.putLong(WelcomeLayout.DIGEST_OFFSET, CudaWire.digest(CudaWire.COMMANDS));
        connection.send(welcome.array(), descriptors);
    }

    void sendMemory(int context, int descriptor) throws IOException {
        byte[] id =
                ByteBuffer.allocate(Integer.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putInt(context)
                        .array();
        try {
            connection.send(id, descriptor);
        } catch (IOException e) {
            throw new AssertionError("the client is gone: " + errors(), e);
        }
    }

    int await() throws InterruptedException {
        return process.waitFor();
    }

    void destroy() {
        process.destroyForcibly();
    }

    List<String> output() throws IOException {
        return Files.readAllLines(folder.resolve("output"));
    }

    String errors() throws IOException {
        return Files.readString(folder.resolve("errors"), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        process.destroyForcibly();
        connection.close();
    }
}
