package facet.node.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.doors.control.Change;
import facet.doors.control.ControlException;
import facet.doors.control.Operations;
import facet.doors.control.PodOperations.PodContainer;
import facet.doors.events.Events;
import facet.log.Log;
import facet.slices.Setting;
import facet.slices.Settings;
import facet.slices.Slice;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a cluster has placed for a container is what it gets, and nobody else gets it. */
@Timeout(300)
class PodsTest {
    private static final long GIB = 1L << 30;
    private static final PodContainer MINE = new PodContainer("uid-a", "main");

    @TempDir private Path folder = Path.of("/nowhere");

    private final Log log =
            new Log(
                    new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
                    Log.Level.INFO);
    private final FakeProcesses processes = new FakeProcesses();
    private FakeSlices slices = new FakeSlices();
    private Containers containers = daemon(Duration.ofMillis(50));

    @BeforeEach
    void start() throws Exception {
        containers = daemon(Duration.ofMillis(50));
        containers.pods().manage("containerd");
        for (int pid = 1; pid < 10; pid++) {
            processes.run(pid, 100);
        }
    }

    private Containers daemon(Duration patience) {
        return new Containers(
                new ContainerFiles(folder.resolve("containers")),
                processes,
                slices,
                Bounds.NONE,
                folder,
                patience,
                new Events(log),
                log);
    }

    private static Settings settings(String memory, int compute) {
        return new Settings(
                Map.of(Setting.MEMORY, memory, Setting.COMPUTE, Integer.toString(compute)));
    }

    private void place(PodContainer which, String memory, int compute) throws ControlException {
        containers.place(which, "team/" + which.pod(), settings(memory, compute));
    }

    /** As containerd writes it, with more of what a pod's owner can bring. */
    private static String config(PodContainer which, String environment, String annotations) {
        return """
        {"process":{"env":[%s]},"annotations":{
          "io.kubernetes.cri.container-type":"container",
          "io.kubernetes.cri.sandbox-uid":"%s",
          "io.kubernetes.cri.container-name":"%s"%s}}
        """
                .formatted(environment, which.pod(), which.container(), annotations);
    }

    private static String marked(PodContainer which) {
        return config(which, "\"FACET_POD=placed\"", "");
    }

    private Optional<Slice> start(String id, int pid, String config) throws ControlException {
        return containers
                .startContainer(id, pid, config, Optional.empty())
                .map(Operations.Made::slice);
    }

    private String refused(String id, int pid, String config) {
        return String.valueOf(
                assertThrows(ControlException.class, () -> start(id, pid, config)).getMessage());
    }

    @Test
    void eachGetsWhatWasPlacedForItWhateverItAsksFor() throws Exception {
        PodContainer other = new PodContainer("uid-b", "main");
        place(MINE, "1GiB", 20);
        place(other, "2GiB", 30);
        String greedy =
                config(
                        other,
                        "\"FACET_POD=placed\",\"FACET_MEMORY=4GiB\",\"FACET_COMPUTE=90\"",
                        ",\"facet.dev/memory\":\"4GiB\",\"facet.dev/placement\":\"{}\","
                                + "\"io.kubernetes.pod.uid\":\"uid-a\","
                                + "\"io.kubernetes.container.name\":\"main\"");
        Slice second = start("two", 2, greedy).orElseThrow();
        Slice first = start("one", 1, marked(MINE)).orElseThrow();
        assertEquals(GIB, first.memory());
        assertEquals(20, first.terms().compute());
        assertEquals("uid-a.main", first.name());
        assertEquals(2 * GIB, second.memory());
        assertEquals(30, second.terms().compute());
    }

    @Test
    void whoHasNoPlacementGetsNothing() throws Exception {
        assertTrue(
                refused("one", 1, marked(MINE)).contains("nothing is placed"),
                "it waits for the agent, and then it is refused");
        String asks = config(MINE, "\"FACET_MEMORY=1GiB\"", "");
        assertEquals(Optional.empty(), start("one", 1, asks), "asking is of no use to a pod");
        String sandbox =
                "{\"process\":{},\"annotations\":{\"io.kubernetes.cri.container-type\":"
                        + "\"sandbox\",\"facet.dev/memory\":\"1GiB\"}}";
        assertEquals(Optional.empty(), start("pause", 2, sandbox));
        String plain = "{\"process\":{\"env\":[\"FACET_MEMORY=1GiB\"]}}";
        assertEquals(GIB, start("podman", 3, plain).orElseThrow().memory(), "no pod");
        String nameless =
                "{\"process\":{},\"annotations\":{\"io.kubernetes.cri.container-type\":"
                        + "\"container\"}}";
        assertTrue(refused("old", 4, nameless).contains("newer containerd"));
    }

    /** Somebody who claims to be another pod, before or after that one has started. */
    @Test
    void aSecondOneOfTheSameNameIsRefusedWhileTheFirstLives() throws Exception {
        place(MINE, "1GiB", 20);
        start("one", 1, marked(MINE));
        assertTrue(refused("two", 2, marked(MINE)).contains("runs already"));
        assertEquals(1, slices.open.size());
        processes.end(1);
        assertEquals(GIB, start("three", 3, marked(MINE)).orElseThrow().memory(), "restarted");
    }

    @Test
    void theAgentMayBeLate() throws Exception {
        containers = daemon(Duration.ofMinutes(2));
        containers.pods().manage("containerd");
        Thread agent =
                Thread.ofPlatform()
                        .start(() -> {
                            try {
                                Thread.sleep(100);
                                place(MINE, "1GiB", 20);
                            } catch (ControlException | InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                        });
        assertEquals(GIB, start("one", 1, marked(MINE)).orElseThrow().memory());
        agent.join();
    }

    @Test
    void aPlacementThatChangesChangesTheSliceThatRuns() throws Exception {
        place(MINE, "1GiB", 20);
        start("one", 1, marked(MINE));
        Change change = containers.place(MINE, "team/uid-a", settings("2GiB", 40));
        assertEquals(Change.Action.CHANGED, change.action());
        assertEquals(2 * GIB, slices.get("uid-a.main").memory());
        assertEquals("uid-a.main", containers.podRows().getFirst().get("slice"));
        containers.change("uid-a.main", settings("3GiB", 10));
        assertEquals(
                Change.Action.UNCHANGED,
                containers.place(MINE, "team/uid-a", settings("2GiB", 40)).action(),
                "who says the same again does not overrule 'facet slice set'");
        assertEquals(3 * GIB, slices.get("uid-a.main").memory());
    }

    @Test
    void anotherDaemonKnowsWhatTheFirstWasTold() throws Exception {
        place(MINE, "1GiB", 20);
        start("one", 1, marked(MINE));
        place(new PodContainer("uid-b", "main"), "2GiB", 30);
        slices.open.clear();
        containers = daemon(Duration.ofMillis(50));
        containers.restore();
        assertEquals("containerd", containers.pods().managedBy());
        assertTrue(refused("two", 2, marked(MINE)).contains("runs already"));
        assertEquals(
                2 * GIB,
                start("b", 3, marked(new PodContainer("uid-b", "main"))).orElseThrow().memory());
        assertTrue(containers.pods().forget("uid-b"));
        assertFalse(containers.pods().forget("uid-b"));
        assertEquals(1, containers.podRows().size());
    }

    @Test
    void nonsenseIsRefused() {
        assertThrows(
                ControlException.class,
                () -> containers.place(new PodContainer("../x", "main"), "", settings("1G", 1)));
        assertThrows(
                ControlException.class,
                () -> containers.place(MINE, "name with\nlines", settings("1G", 1)));
        assertThrows(
                ControlException.class,
                () -> containers.place(MINE, "", new Settings(Map.of())),
                "without memory");
        assertThrows(ControlException.class, () -> containers.pods().manage("docker"));
    }

    @Test
    void aContainerJoinsOneSliceOnly() throws IOException, ControlException {
        slices.open.put("a", new Slice("a", GIB, 1, facet.sched.Terms.REST));
        slices.open.put("b", new Slice("b", GIB, 1, facet.sched.Terms.REST));
        containers.startContainer("one", 1, marked(MINE), Optional.of("a"));
        assertThrows(
                ControlException.class,
                () -> containers.startContainer("one", 1, marked(MINE), Optional.of("b")));
    }
}
