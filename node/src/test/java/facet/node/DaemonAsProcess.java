package facet.node;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * For tests of the daemon in a process of its own: starts it, asks it, and ends what was started.
 */
abstract class DaemonAsProcess {
    @TempDir Path folder = Path.of("/nowhere");

    final List<Process> started = new ArrayList<>();

    @AfterEach
    void end() {
        started.forEach(Process::destroyForcibly);
    }

    Path runtime() {
        return folder.resolve("run");
    }

    /** Returns when it answers. */
    Process start(String... more) throws Exception {
        Process process = begin(more);
        long end = System.nanoTime() + 60_000_000_000L;
        while (!answers() && process.isAlive() && System.nanoTime() < end) {
            Thread.sleep(5);
        }
        assertTrue(process.isAlive(), log());
        return process;
    }

    Process begin(String... more) throws IOException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "@" + Path.of("../jvm.options").toAbsolutePath(),
                                "-Xmx512m",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Facetd.class.getName(),
                                "--runtime-dir",
                                runtime().toString(),
                                "--memory",
                                "256M"));
        command.addAll(List.of(more));
        Process process =
                new ProcessBuilder(command)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(
                                ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
                        .start();
        started.add(process);
        return process;
    }

    String log() throws IOException {
        return Files.readString(folder.resolve("log"));
    }

    boolean answers() {
        try {
            return ask("status").contains("\"ok\":true");
        } catch (IOException e) {
            return false;
        }
    }

    String ask(String line) throws IOException {
        try (SocketChannel channel =
                        SocketChannel.open(
                                UnixDomainSocketAddress.of(runtime().resolve("control")));
                BufferedReader lines =
                        new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8))) {
            channel.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
            return String.valueOf(lines.readLine());
        }
    }
}
