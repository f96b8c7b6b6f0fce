package facet.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.Result;
import facet.doors.control.Request;
import facet.node.server.TestClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Slices of containers and the daemon as a process: what stays, and what goes. */
@Timeout(300)
class ContainerRestartTest extends DaemonAsProcess {
    private static final String CONFIG =
            "{\"process\":{\"env\":[\"FACET_MEMORY=64M\",\"FACET_COMPUTE=40\"]}}";

    private Process daemon() throws Exception {
        return start("--http", "off");
    }

    private Process container(String id) throws IOException {
        Process process = new ProcessBuilder("sleep", "1000").start();
        started.add(process);
        Map<String, String> values = new LinkedHashMap<>();
        values.put("id", id);
        values.put("pid", Long.toString(process.pid()));
        values.put("config", CONFIG);
        String answer = ask(new Request("container-create", values).line());
        assertTrue(answer.contains("\"slice\":\"" + id + "\""), answer);
        return process;
    }

    private Path slice(String id) {
        return runtime().resolve("slices").resolve(id);
    }

    private void awaitGone(String id) throws Exception {
        long end = System.nanoTime() + 60_000_000_000L;
        while ((Files.exists(slice(id)) || ask("slices").contains("\"name\":\"" + id + "\""))
                && System.nanoTime() < end) {
            Thread.sleep(5);
        }
        assertFalse(Files.exists(slice(id)));
        String slices = ask("slices");
        assertFalse(slices.contains("\"name\":\"" + id + "\""), slices);
    }

    private void connect(String id) throws Exception {
        try (TestClient client = new TestClient(slice(id).resolve("socket"), "inside")) {
            assertEquals(Result.SUCCESS, client.createContext().result());
        }
    }

    @Test
    void slicesOfLivingContainersStayWhereTheyAre() throws Exception {
        Process daemon = daemon();
        Process stays = container("stays");
        Process ends = container("ends");
        connect("stays");
        assertEquals(
                "rwx--x--x",
                PosixFilePermissions.toString(Files.getPosixFilePermissions(slice("stays"))));
        assertEquals(
                "rwx------",
                PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(runtime().resolve("slices"))));
        Object inode = Files.getAttribute(slice("stays"), "unix:ino");
        assertTrue(
                ask("slice-set name=stays compute=55").contains("\"action\":\"changed\""),
                "not changed");

        daemon.destroyForcibly().waitFor();
        ends.destroyForcibly().waitFor();
        daemon = daemon();
        awaitGone("ends");
        assertEquals(inode, Files.getAttribute(slice("stays"), "unix:ino"));
        connect("stays");
        String slices = ask("slices");
        assertTrue(slices.contains("\"container\":\"stays\""), slices);
        assertTrue(slices.contains("\"compute\":55"), slices);

        // The same when it goes down in peace.
        assertTrue(ask("down").contains("true"));
        assertTrue(daemon.waitFor(60, TimeUnit.SECONDS));
        assertFalse(Files.exists(slice("stays").resolve("socket")));
        assertFalse(Files.exists(slice("default")));
        assertEquals(inode, Files.getAttribute(slice("stays"), "unix:ino"));
        daemon = daemon();
        connect("stays");

        stays.destroyForcibly().waitFor();
        awaitGone("stays");
        assertTrue(ask("down").contains("true"));
        assertTrue(daemon.waitFor(60, TimeUnit.SECONDS));
        assertFalse(Files.exists(runtime().resolve("slices")));
        assertFalse(Files.exists(runtime().resolve("containers")));
    }

    @Test
    void aContainerThatEndsTakesItsSessionsAlong() throws Exception {
        daemon();
        Process process = container("brief");
        try (TestClient client = new TestClient(slice("brief").resolve("socket"), "inside")) {
            assertEquals(Result.SUCCESS, client.createContext().result());
            assertTrue(
                    ask("slice-delete name=brief")
                            .contains("slice 'brief' is that of container 'brief'"));
            process.destroyForcibly().waitFor();
            assertTrue(client.isEnded());
        }
        awaitGone("brief");
        try (Stream<Path> left = Files.list(runtime().resolve("containers"))) {
            assertEquals(List.of(), left.toList());
        }
        // The next one gets the promise that is free again.
        container("brief");
    }
}
