package facet.kube.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Where no cluster answers, what people ask says so and ends. */
@Timeout(120)
final class NoClusterTest {
    @TempDir Path folder;

    @AfterEach
    void clear() {
        System.clearProperty("kubeconfig");
    }

    @ParameterizedTest
    @ValueSource(strings = {"top", "doctor", "uninstall", "install"})
    void nobodyListens(String command) throws IOException {
        int port;
        try (ServerSocket once = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = once.getLocalPort();
        }
        ask(command, port);
    }

    /** It takes connections and never says a word. */
    @ParameterizedTest
    @ValueSource(strings = {"top", "doctor"})
    void somebodyListensAndIsSilent(String command) throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            ask(command, silent.getLocalPort());
        }
    }

    private void ask(String command, int port) throws IOException {
        Path config = folder.resolve("config");
        Files.writeString(
                config,
                """
                apiVersion: v1
                kind: Config
                clusters: [{name: c, cluster: {server: "https://127.0.0.1:%d"}}]
                users: [{name: u, user: {token: t}}]
                contexts: [{name: x, context: {cluster: c, user: u}}]
                current-context: x
                """
                        .formatted(port));
        System.setProperty("kubeconfig", config.toString());
        StringWriter err = new StringWriter();
        CommandLine facet = FacetKube.commandLine().setErr(new PrintWriter(err));
        assertEquals(1, facet.execute(command));
        assertTrue(
                err.toString().startsWith("facet: no cluster answers at https://127.0.0.1:" + port),
                err.toString());
    }
}
