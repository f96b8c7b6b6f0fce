package facet.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.Result;
import facet.node.server.Kernels;
import facet.node.server.TestClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The daemon as a process. */
@Timeout(300)
class FacetdTest extends DaemonAsProcess {
    private void compute() throws Exception {
        try (TestClient client = new TestClient(runtime().resolve("socket"), "compute")) {
            assertEquals(Result.SUCCESS, client.createContext().result());
            long cells = client.allocate(0, 4096);
            assertEquals(Result.SUCCESS, client.load(0, Kernels.ADD).result());
            client.launch(0, 0, 1, 32, cells, 32, 5);
            assertEquals(Result.SUCCESS, client.synchronize(0));
            assertEquals(5, client.get(0));
            String sessions = ask("sessions");
            assertTrue(sessions.contains("\"program\":\"compute\""), sessions);
            assertTrue(sessions.contains("\"memoryUsed\":4096"), sessions);
            assertTrue(sessions.contains("\"launches\":1"), sessions);
        }
    }

    private void assertClean() {
        assertFalse(Files.exists(runtime().resolve("control")));
        assertFalse(Files.exists(runtime().resolve("socket"), LinkOption.NOFOLLOW_LINKS));
        assertFalse(Files.exists(runtime().resolve("slices")));
    }

    @Test
    void aSignalEndsItAndCleansUp() throws Exception {
        Process daemon = start();
        compute();
        try (TestClient client = new TestClient(runtime().resolve("socket"))) {
            client.createContext();
            client.load(0, Kernels.SPIN);
            client.launch(0, 0, 1, 1, TestClient.BASE);
            daemon.destroy();
            assertTrue(client.isEnded());
            assertTrue(daemon.waitFor(60, TimeUnit.SECONDS), "it does not end");
        }
        assertClean();
    }

    @Test
    void oneDaemonForAFolderAndANewOneAfterAKill() throws Exception {
        Process first = start();
        Process second = begin();
        assertTrue(second.waitFor(60, TimeUnit.SECONDS));
        assertEquals(1, second.exitValue());
        assertTrue(log().contains("another facetd runs in"), log());
        try (TestClient client = new TestClient(runtime().resolve("socket"))) {
            client.createContext();
            first.destroyForcibly().waitFor();
            assertTrue(client.isEnded());
        }
        assertTrue(Files.exists(runtime().resolve("slices/default")), "nothing was left behind");
        start();
        compute();
        assertTrue(ask("down").contains("true"));
    }

    @Test
    void downEndsIt() throws Exception {
        Process daemon = start();
        assertTrue(ask("down").contains("true"));
        assertTrue(daemon.waitFor(60, TimeUnit.SECONDS));
        assertEquals(0, daemon.exitValue());
        assertClean();
    }

    @Test
    void workersServeTooAndEndWithTheDaemon() throws Exception {
        Process daemon = start("--isolation", "process", "--warm-workers", "0", "--devices", "2");
        compute();
        List<ProcessHandle> workers = daemon.toHandle().children().toList();
        assertEquals(1, workers.size());
        daemon.destroyForcibly().waitFor();
        workers.getFirst().onExit().get(60, TimeUnit.SECONDS);
    }

    @Test
    void theTokenIsInItsFileAlone() throws Exception {
        Process daemon = start("--http", "127.0.0.1:0", "--debug");
        String status = ask("status");
        String word = Files.readString(runtime().resolve("state/http-token")).strip();
        assertTrue(status.contains("\"http\":\"http://127.0.0.1:"), status);
        assertTrue(status.contains("state/http-token"), status);
        assertFalse(status.contains(word), "the status tells the token");
        for (String each : new String[] {"cmdline", "environ"}) {
            String seen = Files.readString(Path.of("/proc/" + daemon.pid(), each));
            assertFalse(seen.contains(word), each);
        }
        assertFalse(log().contains(word), "the log tells the token");
        assertTrue(log().contains("[http] listens at http://127.0.0.1:"), log());
    }

    @Test
    void otherMachinesAreNotLetInWithoutTokenAndTls() throws Exception {
        Process daemon = begin("--http", "0.0.0.0:0");
        assertTrue(daemon.waitFor(60, TimeUnit.SECONDS));
        assertEquals(2, daemon.exitValue());
        assertTrue(
                log().contains("add --token-file FILE, --tls-certificate FILE and --tls-key FILE"),
                log());
    }

    @Test
    void wrongOptionsAreNamed() throws Exception {
        Process daemon = begin("--devises", "2");
        assertTrue(daemon.waitFor(60, TimeUnit.SECONDS));
        assertEquals(2, daemon.exitValue());
        assertTrue(log().contains("there is no option '--devises'"), log());
    }

    @Test
    void keptSlicesComeBackAndABrokenFileIsRefused() throws Exception {
        Process first = start();
        String made = ask("slice-create name=kept memory=64M compute=40 policy=burst");
        assertTrue(made.contains("created"), made);
        assertTrue(ask("slice-set name=default memory=128M").contains("changed"));
        assertTrue(ask("slice-create name=kept").contains("there is a slice 'kept' already"));
        assertTrue(ask("slice-delete name=default").contains("cannot be deleted"));
        assertTrue(ask("slice-set name=kept devices=2").contains("there are 1"));
        assertTrue(ask("slice-create name=more compute=61").contains("101% of the device"));
        first.destroyForcibly().waitFor();

        Process second = start();
        String slices = ask("slices");
        assertTrue(slices.contains("slices/kept/socket\",\"memory\":67108864"), slices);
        assertTrue(slices.contains("slices/default/socket\",\"memory\":134217728"), slices);
        assertTrue(slices.contains("\"policy\":\"burst\",\"compute\":40"), slices);
        assertTrue(ask("down").contains("true"));
        assertTrue(second.waitFor(60, TimeUnit.SECONDS));

        Path file = runtime().resolve("state/slices.yaml");
        String text = Files.readString(file);
        Files.writeString(file, text.replace("compute: 40%", "compute: 400%"));
        Process third = begin();
        assertTrue(third.waitFor(60, TimeUnit.SECONDS));
        assertEquals(1, third.exitValue());
        assertTrue(log().contains("slices.yaml, line 6, column 14: compute is 0 to 100"), log());

        Files.writeString(file, text.replace("64MiB", "64GiB"));
        Process fourth = begin();
        assertTrue(fourth.waitFor(60, TimeUnit.SECONDS));
        assertEquals(1, fourth.exitValue());
        assertTrue(log().contains("slices.yaml, line 4: slice 'kept' would have 64GiB"), log());
    }

    @Test
    void withWorkersSlicesHaveAllPoliciesAndChangeWhileProgramsRun() throws Exception {
        start("--isolation", "process");
        assertTrue(ask("slice-create name=a compute=40").contains("created"));
        assertTrue(ask("slice-set name=a policy=burst").contains("changed"));
        assertTrue(ask("slice-create name=b multiprocessors=1").contains("created"));
        assertTrue(ask("slice-create name=c policy=priority priority=4").contains("created"));
        try (TestClient client = new TestClient(runtime().resolve("slices/c/socket"))) {
            assertEquals(Result.SUCCESS, client.createContext().result());
            assertTrue(ask("slice-set name=c policy=time-slice").contains("changed"));
            assertEquals(Result.SUCCESS, client.synchronize(0));
        }
        try (TestClient client = new TestClient(runtime().resolve("slices/a/socket"))) {
            assertEquals(Result.SUCCESS, client.createContext().result());
            assertTrue(ask("slice-set name=a memory=64M compute=90").contains("changed"));
            assertEquals(64 << 20, client.limit());
            assertTrue(ask("slice-set name=a memory=200M").contains("changed"));
            assertEquals(200 << 20, client.limit());
            client.allocate(0, 150 << 20);
            assertEquals(Result.SUCCESS, client.synchronize(0));
        }
    }

    @Test
    void nobodyIsLeftBehindWhenTheDaemonIsKilled() throws Exception {
        Process daemon = start("--isolation", "process", "--warm-workers", "2");
        try (TestClient client = new TestClient(runtime().resolve("socket"))) {
            assertEquals(Result.SUCCESS, client.createContext().result());
            List<ProcessHandle> workers = List.of();
            long end = System.nanoTime() + TestClient.PATIENCE.toNanos();
            while (workers.size() < 3 && System.nanoTime() < end) {
                workers = daemon.toHandle().children().toList();
                Thread.sleep(20);
            }
            assertEquals(3, workers.size(), "one that serves and two that wait");
            daemon.destroyForcibly().waitFor();
            for (ProcessHandle each : workers) {
                each.onExit().get(60, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void slicesOfBothIsolationsLiveSideBySide() throws Exception {
        Process daemon = start("--warm-workers", "0");
        assertTrue(ask("slice-create name=own isolation=process").contains("created"));
        assertTrue(ask("slice-create name=wrong isolation=full").contains("process or shared"));
        Path own = runtime().resolve("slices/own/socket");
        try (TestClient alone = new TestClient(own);
                TestClient beside = new TestClient(runtime().resolve("socket"))) {
            assertEquals(Result.SUCCESS, alone.createContext().result());
            assertEquals(Result.SUCCESS, beside.createContext().result());
            assertEquals(1, daemon.toHandle().children().count());
            String refused = ask("slice-set name=own isolation=shared");
            assertTrue(refused.contains("cannot change while programs use it"), refused);
            assertTrue(ask("slice-set name=own memory=32M").contains("changed"));
        }
        awaitNoSessions();
        assertTrue(ask("slice-set name=own isolation=shared").contains("changed"));
        assertTrue(ask("slices").contains("\"isolation\":\"shared\""));
        assertEquals(0, daemon.toHandle().children().count(), "its worker is left behind");
        try (TestClient moved = new TestClient(own)) {
            assertEquals(Result.SUCCESS, moved.createContext().result());
            assertEquals(32 << 20, moved.limit());
        }
        awaitNoSessions();
        assertTrue(ask("slice-set name=own isolation=process").contains("changed"));
        try (TestClient again = new TestClient(own)) {
            assertEquals(Result.SUCCESS, again.createContext().result());
            assertEquals(1, daemon.toHandle().children().count());
        }
    }

    @Test
    void containersHaveAProcessOfTheirOwnAlsoInSlicesThatTheyJoin() throws Exception {
        start("--warm-workers", "0");
        long pid = ProcessHandle.current().pid();
        assertTrue(ask("slice-create name=train memory=32M").contains("created"));
        assertFalse(ask("slices").contains("\"isolation\":\"process\""));
        String join = "container-create id=joins pid=" + pid + " config={} slice=train";
        try (TestClient client = new TestClient(runtime().resolve("slices/train/socket"))) {
            assertEquals(Result.SUCCESS, client.createContext().result());
            assertTrue(ask(join).contains("cannot change while programs use it"));
        }
        awaitNoSessions();
        assertTrue(ask(join).contains("\"slice\":\"train\""));
        assertTrue(ask("slice-set name=train memory=48M").contains("changed"));
        String wish = "{\"process\":{\"env\":[\"FACET_MEMORY=64M\"]}}";
        assertTrue(
                ask("container-create id=own pid=" + pid + " config=" + encoded(wish))
                        .contains("\"slice\":\"own\""));
        String slices = ask("slices");
        assertEquals(3, slices.split("\"isolation\":\"process\"", -1).length, slices);
        assertTrue(ask("container-delete id=joins").contains("true"));
        assertTrue(ask("container-delete id=own").contains("true"));
        assertTrue(ask("slice-set name=train memory=32M").contains("changed"));
        assertTrue(ask("slices").contains("\"isolation\":\"process\""), "what is theirs stays");
    }

    private static String encoded(String text) {
        return java.net.URLEncoder.encode(text, java.nio.charset.StandardCharsets.UTF_8)
                .replace("+", "%20");
    }

    private void awaitNoSessions() throws Exception {
        long end = System.nanoTime() + TestClient.PATIENCE.toNanos();
        while (!ask("sessions").contains("\"sessions\":[]") && System.nanoTime() < end) {
            Thread.sleep(5);
        }
    }

    @Test
    void whatCannotBeKeptIsNotMade() throws Exception {
        Files.writeString(folder.resolve("file"), "");
        start("--state-dir", folder.resolve("file/state").toString());
        String refused = ask("slice-create name=a memory=64M");
        assertTrue(refused.contains("nothing was changed, since it cannot be kept"), refused);
        assertTrue(refused.contains("--state-dir"), refused);
        assertFalse(ask("slices").contains("\"name\":\"a\""), "it is there all the same");
        assertTrue(ask("slice-set name=default memory=64M").contains("nothing was changed"));
        assertTrue(ask("slices").contains("slices/default/socket\",\"memory\":268435456"));
        assertTrue(ask("run name=a memory=64M").contains("\"slice\":\"a\""));
    }

    private String apply(String more, String... lines) throws IOException {
        return ask(
                "apply "
                        + more
                        + " document="
                        + java.net.URLEncoder.encode(
                                        "slices:\n" + String.join("\n", lines) + "\n",
                                        StandardCharsets.UTF_8)
                                .replace("+", "%20"));
    }

    private static String action(String slice, String action) {
        return "{\"slice\":\"" + slice + "\",\"action\":\"" + action + "\"";
    }

    @Test
    void aDocumentIsAppliedAsAWhole() throws Exception {
        start();
        String a = "  - {name: a, memory: 64M, compute: 30}";
        String b = "  - {name: b, memory: 32M}";
        String dry = apply("dryRun=true", a, b);
        assertTrue(dry.contains(action("a", "created")), dry);
        assertFalse(ask("slices").contains("\"name\":\"a\""), "a dry run does nothing");
        String first = apply("", a, b);
        assertTrue(first.contains(action("b", "created")), first);
        String second = apply("", a, b);
        assertTrue(second.contains(action("a", "unchanged")), second);
        assertTrue(second.contains(action("b", "unchanged")), second);

        // One mistake, and nothing happens.
        for (String wrong :
                List.of(
                        "  - {name: c, memory: 64M, compute: 71}",
                        "  - {name: c, memory: 64G}",
                        "  - {name: c, memory: 64M, policy: soon}",
                        "  - {name: c, devices: 3}")) {
            String refused = apply("", "  - {name: a, memory: 96M, compute: 30}", wrong);
            assertTrue(refused.startsWith("{\"ok\":false"), refused);
            assertTrue(ask("slices").contains("slices/a/socket\",\"memory\":67108864"));
            assertFalse(ask("slices").contains("\"name\":\"c\""));
        }

        // What is left out stays, unless pruned; what a slice does not say is as at first.
        String third = apply("", "  - {name: a, memory: 96M}");
        assertTrue(third.contains("\"from\":\"30%\",\"to\":\"0%\""), third);
        assertTrue(third.contains(action("b", "unchanged")), third);
        long self = ProcessHandle.current().pid();
        String joined = ask("container-create id=c1 config=%7B%7D slice=b pid=" + self);
        assertTrue(joined.contains("\"slice\":\"b\""), joined);
        String mounted = apply("prune=true", "  - {name: a, memory: 96M}");
        assertTrue(mounted.contains("'b' is used by container 'c1'"), mounted);
        assertTrue(ask("container-delete id=c1").contains("\"removed\":true"));
        try (TestClient client = new TestClient(runtime().resolve("slices/b/socket"))) {
            assertEquals(Result.SUCCESS, client.createContext().result());
            String busy = apply("prune=true", "  - {name: a, memory: 96M}");
            assertTrue(busy.contains("1 program uses slice 'b'"), busy);
            String forced = apply("prune=true force=true", "  - {name: a, memory: 96M}");
            assertTrue(forced.contains(action("b", "deleted")), forced);
            assertTrue(client.isEnded());
        }
        assertTrue(ask("slice-set name=default compute=9").contains("changed"));
        String fourth = apply("prune=true", "  - {name: a, memory: 96M}");
        assertTrue(fourth.contains(action("default", "changed")), fourth);
        String none = ask("apply prune=true document=slices:%20[]");
        assertTrue(none.contains(action("a", "deleted")), none);
    }

    @Test
    void slicesOfProgramsAreNotKept() throws Exception {
        start();
        try (SocketChannel channel =
                SocketChannel.open(UnixDomainSocketAddress.of(runtime().resolve("control")))) {
            channel.write(
                    ByteBuffer.wrap("run name=mine compute=80\n".getBytes(StandardCharsets.UTF_8)));
            BufferedReader lines =
                    new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
            assertTrue(String.valueOf(lines.readLine()).contains("\"policy\":\"fixed\""));
            assertTrue(ask("slice-set name=mine compute=3").contains("goes with its program"));
            assertTrue(ask("slice-create name=mine").contains("there is a slice 'mine' already"));
            String refused = apply("", "  - {name: mine}");
            assertTrue(refused.contains("'facet run' or a container has a slice"), refused);
            assertTrue(ask("slice-create name=big compute=30").contains("mine 80%, big 30%"));
        }
        // Its promise is free again when its connection is closed.
        assertTrue(ask("run name=next compute=100").contains("\"ok\":true"));
    }
}
