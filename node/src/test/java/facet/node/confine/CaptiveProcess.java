package facet.node.confine;

import facet.node.server.TestNode;
import facet.node.slice.SliceFolder;
import facet.os.Connection;
import facet.os.Listener;
import facet.os.Message;
import facet.os.ProcessUnsafe;
import facet.os.SocketKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A {@link Captive}, from outside. */
final class CaptiveProcess implements AutoCloseable {
    /** As root nothing may be missing. */
    static final boolean REQUIRED = ProcessUnsafe.user() == 0;

    private final Path folder;
    private final Confinement confinement;
    private final Process process;
    private final Connection connection;

    private CaptiveProcess(
            Path folder, Confinement confinement, Process process, Connection connection) {
        this.folder = folder;
        this.confinement = confinement;
        this.process = process;
        this.connection = connection;
    }

    static Path program() {
        return Path.of("../native/target/bin/facet-confine").toAbsolutePath().normalize();
    }

    static CaptiveProcess start(boolean sealed) throws IOException {
        Path folder = Files.createTempDirectory("facet-captive");
        Confinement confinement =
                new Confinement(program(), folder.resolve("workers"), WorkerFiles.NONE, REQUIRED);
        return start(folder, confinement, sealed);
    }

    private static CaptiveProcess start(Path folder, Confinement confinement, boolean sealed)
            throws IOException {
        Path socket = folder.resolve("socket");
        try (Listener listener =
                Listener.open(
                        socket,
                        SocketKind.PACKETS,
                        1,
                        PosixFilePermissions.fromString("rw-------"))) {
            Process process =
                    confinement.start(
                            new ProcessBuilder()
                                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                                    .redirectOutput(ProcessBuilder.Redirect.DISCARD),
                            socket,
                            TestNode.JAVA,
                            Captive.class.getName(),
                            List.of(sealed ? "sealed" : "placed"));
            while (!listener.awaitConnection(Duration.ofMillis(200))) {
                if (!process.isAlive()) {
                    throw new IOException("it ended with " + process.exitValue());
                }
            }
            CaptiveProcess captive =
                    new CaptiveProcess(
                            folder, confinement, process, listener.accept().orElseThrow());
            if (!captive.answer().equals(Optional.of("ready"))) {
                captive.close();
                throw new IOException("it is not ready");
            }
            return captive;
        }
    }

    /** facet-confine, which lives as long as the JVM in it. */
    long pid() {
        return process.pid();
    }

    /** The JVM. */
    long javaPid() {
        return process.toHandle().children().findFirst().orElseThrow().pid();
    }

    /** Its control group of memory, found by what the kernel says of it. */
    Path group() throws IOException {
        for (String line :
                Files.readAllLines(Path.of("/proc", Long.toString(javaPid()), "cgroup"))) {
            if (line.contains(":memory:") || line.startsWith("0::/") && line.contains("facet")) {
                String name = Path.of(line.substring(line.indexOf('/'))).getFileName().toString();
                return ControlGroups.find().parents().getFirst().folder().resolve(name);
            }
        }
        throw new IOException("it is in no group");
    }

    Path jar() {
        return folder.resolve("workers/classes-0.jar");
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Empty when it died of it. */
    Optional<String> tell(String line) throws IOException {
        connection.send(line.getBytes(StandardCharsets.UTF_8));
        return answer();
    }

    private Optional<String> answer() throws IOException {
        Optional<Message> message = connection.receive(4096);
        return message.map(each -> new String(each.bytes(), StandardCharsets.UTF_8));
    }

    /** What facet-confine ended with: 128 and the signal. */
    int code() throws InterruptedException {
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException("it does not end");
        }
        return process.exitValue();
    }

    @Override
    public void close() throws IOException {
        connection.close();
        process.destroyForcibly();
        confinement.close();
        SliceFolder.delete(folder);
    }
}
