package facet.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.device.cpu.CpuDevice;
import facet.device.cpu.CpuDevices;
import facet.doors.control.Change;
import facet.doors.control.ControlException;
import facet.doors.events.Events;
import facet.host.ledger.Tally;
import facet.host.session.SessionOptions;
import facet.log.Log;
import facet.node.pool.Pool;
import facet.node.pool.PoolFiles;
import facet.node.server.HostPlace;
import facet.node.server.LazyDevice;
import facet.node.slice.SliceFolders;
import facet.os.Connection;
import facet.ring.SessionMemory;
import facet.sched.Terms;
import facet.slices.Isolation;
import facet.slices.Setting;
import facet.slices.Settings;
import facet.slices.Slice;
import facet.slices.document.StateFolder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Slices beside one whose work cannot be stopped, or whose worker does not answer. */
@Timeout(60)
final class EndingTest {
    private static final String STUCK = "stuck";

    @TempDir private Path folder;
    private final CountDownLatch stops = new CountDownLatch(1);
    private final CountDownLatch answers = new CountDownLatch(1);
    private final CountDownLatch asked = new CountDownLatch(1);
    private final AtomicInteger questions = new AtomicInteger();
    private final List<Long> waits = new CopyOnWriteArrayList<>();
    private final Log log =
            new Log(
                    new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
                    Log.Level.DEBUG);
    private final Events events = new Events(log);
    private NodeSlices slices;
    private NewSlices created;
    private KeptSlices kept;
    private StateFolder state;

    /** Where something runs that does not stop before the test says so. */
    private final class Place implements HostPlace {
        private final boolean stuck;
        private final Tally tally = new Tally();

        Place(boolean stuck) {
            this.stuck = stuck;
        }

        @Override
        public HostedSession open(
                SessionOptions options, SessionMemory memory, Connection connection, Runnable atEnd)
                throws IOException {
            throw new IOException("nobody comes");
        }

        @Override
        public Tally tally() {
            return tally;
        }

        @Override
        public Asked ask() {
            questions.incrementAndGet();
            return until -> {
                assertEquals(slices.all().size(), questions.get(), "all are asked before");
                waits.add(until);
            };
        }

        @Override
        public void change(Slice slice) {
            if (stuck) {
                asked.countDown();
                await(answers);
            }
        }

        @Override
        public void close() {
            if (stuck) {
                await(stops);
            }
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void open() throws IOException {
        slices =
                new NodeSlices(
                        List.of(
                                new LazyDevice(
                                        new CpuDevices(),
                                        Optional.empty(),
                                        CpuDevice.profile("test", 1L << 30, 1),
                                        1,
                                        Optional.empty())),
                        new SliceFolders(
                                Files.createDirectory(folder.resolve("slices")), Set.of(), false),
                        new SliceDefaults(1, Isolation.SHARED, Isolation.SHARED, Set.of()),
                        true,
                        new Pool(new PoolFiles(folder.resolve("state")), events, log),
                        (slice, devices, ledger) -> new Place(slice.name().equals(STUCK)),
                        events,
                        log);
        created = new NewSlices(slices);
        state = StateFolder.take(folder.resolve("state"));
        kept = new KeptSlices(slices, new WaitingSlices(slices, log), state, events, log);
        kept.restore(false);
    }

    @AfterEach
    void close() throws IOException {
        stops.countDown();
        answers.countDown();
        slices.close();
        state.close();
    }

    private static Settings memory(String size) {
        return new Settings(Map.of(Setting.MEMORY, size));
    }

    @Test
    void nobodyWaitsForASliceThatDoesNotEnd() throws Exception {
        kept.keep(STUCK, memory("1M"));
        kept.keep("other", memory("1M"));
        assertEquals(Change.Action.DELETING, kept.delete(STUCK, true).action());
        assertFalse(kept.isKept(STUCK));

        assertEquals(Change.Action.CHANGED, kept.change("other", memory("2M")).action());
        assertEquals(Change.Action.CREATED, kept.keep("new", memory("1M")).action());
        kept.apply("slices:\n- name: third\n  memory: 1M\n", false, false, false);
        assertTrue(kept.isKept("third"));
        assertEquals(
                "run",
                created.create(new Slice("run", 1 << 20, 1, Terms.REST), "somebody")
                        .slice()
                        .name());
        assertEquals(Change.Action.DELETED, kept.delete("new", true).action());

        ControlException refused =
                assertThrows(ControlException.class, () -> kept.keep(STUCK, memory("1M")));
        assertTrue(
                String.valueOf(refused.getMessage()).contains("still being deleted"),
                refused::getMessage);

        stops.countDown();
        while (slices.find(STUCK).isPresent()) {
            Thread.sleep(5);
        }
        assertEquals(Change.Action.CREATED, kept.keep(STUCK, memory("1M")).action());
    }

    /** What a program has compiled is found by the next one of the same user. */
    @Test
    void whoStartedAProgramIsKnownAsLongAsItsSliceIsThere() throws Exception {
        Slice run = new Slice("run", 1 << 20, 1, Terms.REST);
        created.create(run, "somebody");
        assertEquals("run-2", created.create(run, "other").slice().name());
        kept.keep("kept", memory("1M"));
        assertEquals(Optional.of("somebody"), slices.user("run"));
        assertEquals(Optional.of("other"), slices.user("run-2"));
        assertEquals(Optional.empty(), slices.user("kept"));
        slices.remove("run");
        assertEquals(Optional.empty(), slices.user("run"));

        Optional<String> user = slices.user("run-2");
        assertEquals(Optional.empty(), CodeSharing.SLICE.name(user));
        assertEquals(Optional.of("user other"), CodeSharing.USER.name(user));
        assertEquals(Optional.empty(), CodeSharing.USER.name(Optional.empty()));
        assertEquals(CodeSharing.ALL.name(user), CodeSharing.ALL.name(Optional.empty()));
    }

    @Test
    void theDaemonGoesDownAllTheSame() throws Exception {
        kept.keep(STUCK, memory("1M"));
        kept.keep("other", memory("1M"));
        assertFalse(slices.end(Duration.ofMillis(200)));
        assertFalse(Files.exists(folder.resolve("slices/other")));
    }

    /** One that does not answer takes a second, and all of them together take no more. */
    @Test
    void workersAreWaitedForTogether() throws Exception {
        for (int i = 0; i < 8; i++) {
            kept.keep("slice" + i, memory("1M"));
        }
        assertEquals(9, slices.refreshed().size());
        assertEquals(9, waits.size());
        assertEquals(1, Set.copyOf(waits).size(), "each has time of its own");
    }

    @Test
    void nobodyWaitsForAWorkerThatDoesNotAnswer() throws Exception {
        kept.keep(STUCK, memory("1M"));
        Thread change =
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                kept.change(STUCK, memory("2M"));
                            } catch (ControlException e) {
                                throw new IllegalStateException(e);
                            }
                        });
        asked.await();
        // Programs and containers come and go meanwhile, and their figures can be seen.
        created.create(new Slice("run", 1 << 20, 1, Terms.REST), "somebody");
        assertEquals(3, slices.all().size());
        slices.remove("run");
        assertEquals(2 << 20, slices.find(STUCK).orElseThrow().slice().memory());
        answers.countDown();
        change.join();
    }
}
