package facet.node.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.doors.control.Change;
import facet.doors.control.ControlException;
import facet.doors.events.Events;
import facet.log.Log;
import facet.slices.Isolation;
import facet.slices.Setting;
import facet.slices.Settings;
import facet.slices.Slice;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class ContainersTest {
    private static final String CONFIG =
            "{\"process\":{\"env\":[\"FACET_MEMORY=1G\",\"FACET_COMPUTE=30\"]}}";
    private static final String LONG_ID = "0123456789ab".repeat(5) + "cdef";

    @TempDir private Path folder = Path.of("/nowhere");

    private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
    private final Log log =
            new Log(new PrintStream(lines, true, StandardCharsets.UTF_8), Log.Level.INFO);
    private final FakeProcesses processes = new FakeProcesses();
    private FakeSlices slices = new FakeSlices();
    private Bounds bounds = Bounds.NONE;
    private Path files = Path.of("/nowhere");
    private Containers containers = daemon();

    @BeforeEach
    void start() {
        files = folder.resolve("containers");
        containers = daemon();
    }

    private Containers daemon() {
        return new Containers(
                new ContainerFiles(files),
                processes,
                slices,
                bounds,
                Objects.requireNonNull(files.getParent()),
                Duration.ofMillis(50),
                new Events(log),
                log);
    }

    /** A new daemon after one that was killed: of the old one only files are left. */
    private void restart() throws IOException {
        slices = new FakeSlices();
        slices.folders.addAll(new ContainerFiles(files).slices());
        processes.watches.clear();
        containers = daemon();
        containers.restore();
    }

    private String begin(String id, int pid) throws ControlException {
        return containers
                .startContainer(id, pid, CONFIG, Optional.empty())
                .orElseThrow()
                .slice()
                .name();
    }

    private void awaitNoSlices() throws InterruptedException {
        long end = System.nanoTime() + 60_000_000_000L;
        while ((!slices.open.isEmpty() || containers.ofSlice("web").isPresent())
                && System.nanoTime() < end) {
            Thread.sleep(1);
        }
        assertEquals(Map.of(), slices.open);
    }

    private void assertNothingLeft() throws IOException {
        assertEquals(Map.of(), slices.open);
        assertTrue(slices.folders.isEmpty(), slices.folders.toString());
        if (Files.exists(files)) {
            try (Stream<Path> left = Files.list(files)) {
                assertEquals(List.of(), left.toList());
            }
        }
    }

    private String refused(String id, int pid, String config) {
        return String.valueOf(
                assertThrows(
                                ControlException.class,
                                () -> containers.startContainer(id, pid, config, Optional.empty()))
                        .getMessage());
    }

    // ----

    @Test
    void aContainerHasASliceUntilItIsDeleted() throws Exception {
        processes.run(7, 100);
        assertEquals("web", begin("web", 7));
        assertEquals(1L << 30, slices.get("web").memory());
        assertEquals(30, slices.get("web").terms().compute());
        assertEquals(Optional.of("web"), containers.ofSlice("web"));
        assertTrue(containers.endContainer("web"));
        assertFalse(containers.endContainer("web"));
        assertEquals(Optional.empty(), containers.ofSlice("web"));
        assertNothingLeft();
        assertTrue(processes.watches.isEmpty());
    }

    @Test
    void askedAgainItIsTheSame() throws Exception {
        processes.run(7, 100);
        assertEquals("web", begin("web", 7));
        assertEquals("web", begin("web", 7));
        assertEquals(1, slices.open.size());
    }

    @Test
    void withoutAWishThereIsNothing() throws Exception {
        assertEquals(
                Optional.empty(),
                containers.startContainer("web", 7, "{\"process\":{}}", Optional.empty()));
        assertNothingLeft();
    }

    @Test
    void itGoesWithItsProcess() throws Exception {
        processes.run(7, 100);
        begin("web", 7);
        processes.end(7);
        awaitNoSlices();
        long end = System.nanoTime() + 60_000_000_000L;
        while (new ContainerFiles(files).slices().contains("web") && System.nanoTime() < end) {
            Thread.sleep(1);
        }
        assertNothingLeft();
        assertTrue(
                lines.toString(StandardCharsets.UTF_8)
                        .contains(
                                "[slice web] container-ended: container web: its process has ended"));
    }

    @Test
    void namesAreReadableAndDiffer() throws Exception {
        processes.run(7, 100);
        processes.run(8, 100);
        processes.run(9, 100);
        assertEquals("0123456789ab", begin(LONG_ID, 7));
        assertEquals("0123456789ab-2", begin(LONG_ID.replace('c', 'd'), 8));
        assertEquals("k8s-pod", begin("/k8s:pod", 9));
        assertEquals(Optional.of(LONG_ID), containers.ofSlice("0123456789ab"));
    }

    @Test
    void whatCannotBePromisedIsRefusedAndLeavesNothing() throws Exception {
        for (int pid = 1; pid <= 4; pid++) {
            processes.run(pid, 100);
        }
        begin("a", 1);
        begin("b", 2);
        begin("c", 3);
        assertEquals("container 'd': too much is promised", refused("d", 4, CONFIG));
        assertEquals(3, slices.open.size());
        assertEquals(3, new ContainerFiles(files).slices().size());
        containers.endContainer("a");
        assertEquals("d", begin("d", 4));
    }

    @Test
    void nobodyGetsMoreThanTheNodeGivesAContainer() throws Exception {
        bounds = Bounds.parse("memory=2G,compute=50,priority=10");
        containers = daemon();
        for (int pid = 1; pid <= 2; pid++) {
            processes.run(pid, 100);
        }
        assertEquals("web", begin("web", 1));
        String image = "{\"process\":{\"env\":[\"FACET_PRIORITY=100\"]}}";
        assertEquals(
                "container 'greedy': it asks for priority 100, and this node gives a container 10"
                        + " at most; ask for less, or start facetd with another"
                        + " --container-most",
                refused("greedy", 2, image));
        assertTrue(
                refused("greedy", 2, "{\"annotations\":{\"dev.facet.memory\":\"3GiB\"}}")
                        .contains("memory 3GiB, and this node gives a container 2GiB at most"));
        assertTrue(
                refused(
                                "greedy",
                                2,
                                "{\"process\":{\"env\":[\"FACET_CALENDAR=daily 02:00-04:00 80\"]}}")
                        .contains("compute 80%"));
        assertEquals(1, slices.open.size());
    }

    @Test
    void anImageCannotTakeItsWallAway() throws Exception {
        String less = "{\"annotations\":{\"dev.facet.isolation\":\"shared\"}}";
        String more = "{\"process\":{\"env\":[\"FACET_ISOLATION=process\"]}}";
        containers = daemon();
        processes.run(1, 100);
        processes.run(2, 100);
        containers.startContainer("careful", 1, more, Optional.empty());
        assertEquals(Isolation.PROCESS, slices.get("careful").isolation());
        slices.isolation = Isolation.PROCESS;
        assertTrue(refused("careless", 2, less).contains("a process of its own"));
        containers.change("careful", new Settings(Map.of(Setting.ISOLATION, "shared")));
        assertEquals(Isolation.SHARED, slices.get("careful").isolation());
    }

    @Test
    void whoDoesNotSayHowMuchGetsNoMoreThanTheBoundAlsoFromTheNextDaemon() throws Exception {
        bounds = Bounds.parse("memory=2G");
        containers = daemon();
        processes.run(7, 100);
        containers.startContainer(
                "web", 7, "{\"process\":{\"env\":[\"FACET_GPU=0\"]}}", Optional.empty());
        assertEquals(2L << 30, slices.get("web").memory());
        bounds = Bounds.NONE;
        restart();
        assertEquals(2L << 30, slices.get("web").memory());
    }

    @Test
    void boundsAreReadOrRefused() {
        assertEquals(
                Map.of(Setting.MEMORY, "8GiB", Setting.DEVICES, "1"),
                Bounds.parse("memory=8G, devices=1").most().values());
        for (String wrong :
                List.of("", "memory", "memory=", "speed=1", "turn=5ms", "compute=101")) {
            assertThrows(IllegalArgumentException.class, () -> Bounds.parse(wrong), wrong);
        }
        assertThrows(IllegalArgumentException.class, () -> Bounds.parse("priority=1,priority=2"));
    }

    @Test
    void refusalsNameTheContainerAndTheReason() {
        assertEquals("container 'x': there is no process 77", refused("x", 77, CONFIG));
        assertEquals(
                "container 'x': config.json is not a JSON object", refused("x", 77, "\"text\""));
        processes.run(7, 100);
        assertEquals(
                "container 'x': a fixed slice needs compute, 1 to 100 percent of a device; without"
                        + " a promise take the policy burst",
                refused("x", 7, "{\"annotations\":{\"dev.facet.policy\":\"fixed\"}}"));
        assertEquals(
                "container 'x': FACET_MEMORY=?: '?' is no size; write it as 512M, 4G or a number of"
                        + " bytes",
                refused("x", 7, "{\"process\":{\"env\":[\"FACET_MEMORY=?\"]}}"));
        assertTrue(refused("", 7, CONFIG).contains("has 1 to 1024 characters"));
    }

    @Test
    void anIdCanBeUsedAgainWhenItsContainerHasEnded() throws Exception {
        processes.run(7, 100);
        begin("web", 7);
        processes.run(8, 200);
        assertEquals(
                "container 'web' has slice 'web' already, for its process 7",
                refused("web", 8, CONFIG));
        processes.starts.remove(7);
        assertEquals("web", begin("web", 8));
        assertEquals(1, slices.open.size());
    }

    // ---- the daemon is started again

    @Test
    void itSurvivesTheDaemon() throws Exception {
        processes.run(7, 100);
        begin("web", 7);
        containers.change("web", new Settings(Map.of(Setting.COMPUTE, "50")));
        restart();
        assertEquals(Optional.of("web"), containers.ofSlice("web"));
        assertEquals(50, slices.get("web").terms().compute());
        assertEquals("web", begin("web", 7));
        processes.end(7);
        awaitNoSlices();
    }

    @Test
    void whatDiedMeanwhileLeavesNothing() throws Exception {
        processes.run(7, 100);
        processes.run(8, 100);
        begin("web", 7);
        begin("db", 8);
        processes.starts.remove(7);
        // Another process has the number now.
        processes.run(8, 200);
        restart();
        assertNothingLeft();
        assertEquals(Optional.empty(), containers.ofSlice("db"));
    }

    @Test
    void aSliceThatDoesNotFitAnyMoreIsToldAndWaits() throws Exception {
        processes.run(7, 100);
        begin("web", 7);
        slices = new FakeSlices();
        slices.folders.add("web");
        slices.deviceMemory = 1 << 20;
        containers = daemon();
        containers.restore();
        assertEquals(Map.of(), slices.open);
        assertTrue(
                lines.toString(StandardCharsets.UTF_8)
                        .contains("cannot be opened again, and its programs find no device"));
        assertEquals(
                "container 'web': its slice 'web' could not be opened again; see the daemon's"
                        + " log",
                refused("web", 7, CONFIG));
        restart();
        assertTrue(slices.open.containsKey("web"));
    }

    @Test
    void filesOfOthersAreRemovedAndTold() throws Exception {
        Files.createDirectories(files);
        Files.writeString(files.resolve("x.json"), "{\"id\":1}");
        Files.writeString(files.resolve("y.json.new"), "half");
        restart();
        assertNothingLeft();
        String told = lines.toString(StandardCharsets.UTF_8);
        assertTrue(told.contains("x.json is left out"), told);
        assertFalse(told.contains("y.json"), told);
    }

    // ---- changed by people

    @Test
    void settingsAreChangedAndKept() throws Exception {
        processes.run(7, 100);
        begin("web", 7);
        Change change = containers.change("web", new Settings(Map.of(Setting.MEMORY, "2G")));
        assertEquals(
                "[Difference[key=memory, from=1GiB, to=2GiB]]", change.differences().toString());
        assertEquals(
                Change.Action.UNCHANGED,
                containers.change("web", new Settings(Map.of(Setting.MEMORY, "2G"))).action());
        assertThrows(
                ControlException.class,
                () -> containers.change("web", new Settings(Map.of(Setting.MEMORY, "5G"))));
        assertThrows(
                ControlException.class,
                () -> containers.change("web", new Settings(Map.of(Setting.POLICY, "tidal"))));
        restart();
        assertEquals(2L << 30, slices.get("web").memory());
    }

    @Test
    void deletingItNeedsForce() throws Exception {
        processes.run(7, 100);
        begin("web", 7);
        ControlException refused =
                assertThrows(ControlException.class, () -> containers.delete("web", false));
        assertTrue(
                String.valueOf(refused.getMessage()).contains("is that of container 'web'"),
                refused.getMessage());
        assertEquals(Change.Action.DELETED, containers.delete("web", true).action());
        assertNothingLeft();
    }

    // ---- kept slices that containers join

    @Test
    void aKeptSliceStaysWhenItsContainersEnd() throws Exception {
        slices.open.put("train", new Slice("train", 1 << 30, 1, facet.sched.Terms.REST));
        processes.run(7, 100);
        processes.run(8, 100);
        for (int pid : new int[] {7, 8}) {
            assertEquals(
                    "train",
                    containers
                            .startContainer("c" + pid, pid, "{}", Optional.of("train"))
                            .orElseThrow()
                            .slice()
                            .name());
        }
        assertEquals(Optional.empty(), containers.ofSlice("train"));
        ControlException used =
                assertThrows(ControlException.class, () -> containers.checkJoined("train", false));
        assertTrue(String.valueOf(used.getMessage()).contains("is used by container 'c"));
        containers.checkJoined("train", true);
        containers.endContainer("c7");
        assertTrue(slices.folders.contains("train"), "the other one has it mounted");
        containers.endContainer("c8");
        assertFalse(slices.folders.contains("train"));
        assertTrue(slices.open.containsKey("train"));
        assertEquals(List.of(), new ContainerFiles(files).slices().stream().toList());
    }

    @Test
    void whoJoinsHasNoWishes() {
        slices.open.put("train", new Slice("train", 1 << 30, 1, facet.sched.Terms.REST));
        processes.run(7, 100);
        ControlException refused =
                assertThrows(
                        ControlException.class,
                        () -> containers.startContainer("c", 7, CONFIG, Optional.of("train")));
        assertEquals(
                "container 'c': it joins slice 'train', which has its own memory and compute;"
                        + " remove FACET_MEMORY=1G, FACET_COMPUTE=30",
                refused.getMessage());
    }
}
