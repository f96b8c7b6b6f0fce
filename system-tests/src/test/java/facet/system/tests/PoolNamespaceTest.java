package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two nodes whose machines have networks of their own, and a cable between them. Of vsock nothing
 * is run here: links are TCP.
 */
@Timeout(300)
class PoolNamespaceTest {
    private static final Path DEMO = Places.NATIVE.resolve("target/demo");
    private static final String FAR = "10.213.77.1";
    private static final String NEAR = "10.213.77.2";

    @TempDir private Path folder = Path.of("/nowhere");

    private final String number = Long.toString(ProcessHandle.current().pid());
    private final String far = "facet-far-" + number;
    private final String near = "facet-near-" + number;

    private Outcome ip(String... words) {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(words));
        return Runner.build(command, folder);
    }

    private void layCable() {
        assumeTrue("root".equals(System.getProperty("user.name")), "networks are for root to make");
        assumeTrue(Tools.onPath("ip").isPresent(), "ip is not installed (Debian: iproute2)");
        assumeTrue(
                ip("netns", "add", far).ok() && ip("netns", "add", near).ok(),
                "this machine gives no network namespaces");
        String[][] commands = {
            {"link", "add", "ff" + number, "type", "veth", "peer", "name", "fn" + number},
            {"link", "set", "ff" + number, "netns", far},
            {"link", "set", "fn" + number, "netns", near},
            {"-n", far, "addr", "add", FAR + "/30", "dev", "ff" + number},
            {"-n", near, "addr", "add", NEAR + "/30", "dev", "fn" + number},
            {"-n", far, "link", "set", "ff" + number, "up"},
            {"-n", near, "link", "set", "fn" + number, "up"},
        };
        for (String[] each : commands) {
            Outcome outcome = ip(each);
            assumeTrue(outcome.ok(), () -> "no cable on this machine: " + outcome.report());
        }
    }

    @AfterEach
    void takeAway() {
        if ("root".equals(System.getProperty("user.name")) && Tools.onPath("ip").isPresent()) {
            ip("netns", "delete", far);
            ip("netns", "delete", near); // the cable goes with them
        }
    }

    private static List<String> in(String namespace) {
        return List.of("ip", "netns", "exec", namespace);
    }

    private static void await(Callable<Boolean> condition, String what) throws Exception {
        long end = System.nanoTime() + Duration.ofMinutes(2).toNanos();
        while (!condition.call()) {
            assertTrue(System.nanoTime() < end, what);
            Thread.sleep(20);
        }
    }

    private static JsonNode ask(Daemon daemon, String line) throws IOException {
        try (Control control = daemon.control()) {
            return control.ask(line);
        }
    }

    private static JsonNode other(Daemon daemon) throws IOException {
        return ask(daemon, "pool").path("nodes").path(0);
    }

    @Test
    void aCableThatIsPulledAndPutBack() throws Exception {
        layCable();
        try (Daemon lender = Daemon.startBy(in(far), "2G", "--http", "off");
                Daemon user = Daemon.startBy(in(near), "", "--devices", "0", "--http", "off")) {
            JsonNode made = ask(lender, "pool-init listen=0.0.0.0:7412 node=far");
            String token = Files.readString(Path.of(made.path("tokenFile").asText())).strip();
            ask(user, "pool-join node=near listen=off seeds=" + FAR + ":7412 token=" + token);
            await(() -> !ask(user, "devices").path("elsewhere").isEmpty(), "they find each other");
            ask(user, "slice-create name=train memory=256M");
            String socket = "";
            for (JsonNode each : ask(user, "slices").path("slices")) {
                socket =
                        each.path("name").asText().equals("train")
                                ? each.path("socket").asText()
                                : socket;
            }
            Process program =
                    Runner.start(
                            List.of(
                                    DEMO.resolve("nbody").toString(),
                                    DEMO.resolve("kernels.ptx").toString(),
                                    "12"),
                            folder,
                            Slices.environment(socket, false));
            try {
                await(() -> other(user).path("sessions").asInt() == 1, "it has begun");
                assertTrue(ip("-n", far, "link", "set", "ff" + number, "down").ok());
                await(() -> !other(user).path("connected").asBoolean(), "it is missed");
                assertTrue(ip("-n", far, "link", "set", "ff" + number, "up").ok());
                await(() -> other(user).path("connected").asBoolean(), "it is back");
                assertTrue(program.waitFor(2, TimeUnit.MINUTES), "the program hangs");
                String said =
                        new String(program.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
                assertEquals(0, program.exitValue(), said);
                assertTrue(other(user).path("resumes").asInt() > 0, other(user).toString());
            } finally {
                program.destroyForcibly();
            }
        }
    }
}
