package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

/**
 * Faults stay home. A neighbour computes in half of the device the whole time; beside it, in
 * another half, programs do what they should not. The neighbour's results are those that it has
 * alone, bit for bit; it keeps its share; and afterwards the daemon has what it had before.
 *
 * <p>The device is this machine's cores. What programs do on the host takes from it too, and so do
 * others on this machine. So a share is held against what the neighbour has alone, in device time,
 * which is what it was promised, or in rounds, whichever shows more: a round also needs the
 * neighbour's own process to run, which nobody here can promise. {@code
 * -Dfacet.test.options=-Dsoak=10} does everything ten times as much.
 */
class NeighboursTest {
    /** Of the neighbour's rate alone, where the trouble costs the host next to nothing. */
    private static final double LIGHT = 0.6;

    /** Where the troublemaker keeps the host's cores busy, with the daemon or its own processes. */
    private static final double HEAVY = 0.2;

    private static final int ATTEMPTS = 3;
    private static final int SOAK = Trouble.SOAK;
    private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(600);
    private static final String HALF = "compute=50";

    private static final Builder BUILDER = new Builder();
    private static Daemon daemon;
    private static Control control;
    private static Neighbour neighbour;
    private static List<String> alone;
    private static Pace rate;
    private static Census before;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        Path program = BUILDER.driver(Program.of(Places.DRIVER.resolve("neighbour.c")));
        daemon = Daemon.start();
        control = daemon.control();
        String socket = control.slice("neighbour", "256M " + HALF);
        neighbour = Neighbour.begin(program, socket);
        neighbour.await(Neighbour.EPOCH);
        alone = neighbour.checksums(0, Neighbour.EPOCH);
        rate = paceNow();
        new Trouble(BUILDER, socket).expect("", "trouble_kernels", "past");
        before = Census.of(daemon.process());
        System.out.println("alone: " + rate + ", " + before);
    }

    @AfterAll
    static void stop() throws IOException {
        if (neighbour != null) {
            neighbour.close();
        }
        if (control != null) {
            control.close();
        }
        daemon.close();
    }

    /** What makes trouble; it fails when it is not told what CUDA would tell it. */
    private interface Act {
        void in(Trouble slice) throws IOException, InterruptedException;
    }

    @TestFactory
    List<DynamicNode> kernels() {
        return List.of(
                fault("far", "700 700"),
                fault("null", "700 700"),
                fault("far-past", "700 700"),
                fault("misaligned", "716 716"),
                fault("assert", "710 710"),
                fault("trap", "719 719"),
                fault("recursion", "714 714"),
                fault("deadlock", "719 719"),
                // Its own memory or nobody's, as on any GPU; not the neighbour's in any case.
                fault("past", ""),
                fault("other", ""),
                beside(
                        "endless",
                        LIGHT,
                        slice -> {
                            Trouble.kill(
                                    slice.beginAndWait(
                                            "runs", 2000L * SOAK, "trouble_kernels", "endless"));
                        }),
                beside(
                        "endless in many streams",
                        LIGHT,
                        slice ->
                                Trouble.kill(
                                        slice.beginAndWait(
                                                "runs",
                                                1000L * SOAK,
                                                "trouble_kernels",
                                                "endless-many"))),
                beside(
                        "endless, then exit",
                        LIGHT,
                        slice -> slice.expect("runs", "trouble_kernels", "endless-exit")),
                beside(
                        "host function that never returns",
                        LIGHT,
                        slice -> {
                            Trouble.kill(
                                    slice.beginAndWait(
                                            "runs", 700, "trouble_kernels", "host-function"));
                        }),
                beside(
                        "printf flood",
                        HEAVY,
                        slice -> slice.expect("0 0", "trouble_kernels", "chatter")));
    }

    @TestFactory
    List<DynamicNode> floods() {
        return List.of(
                flood("launches", "0 ", 1_000_000),
                flood("ring", "0 ", 2000),
                flood("allocate-free", "0 ", 100_000),
                flood("allocate-all", "2 ", 40),
                flood("streams-events", "0 ", 8000),
                flood("many-modules", "0 ", 400),
                flood("huge-module", "0 ", 20_000),
                flood("bad-modules", "218 ", 1000));
    }

    @TestFactory
    List<DynamicNode> processes() {
        long seed = Long.getLong("facet.seed", 20261117);
        String all = Integer.toString(1000 * SOAK);
        return List.of(
                beside(
                        "1000 processes that use the device",
                        HEAVY,
                        slice ->
                                slice.expect(
                                        all + " of " + all, "trouble_processes", "use", all, "32")),
                beside(
                        "1000 processes that only begin",
                        HEAVY,
                        slice ->
                                slice.expect(
                                        all + " of " + all,
                                        "trouble_processes",
                                        "begin",
                                        all,
                                        "64")),
                beside(
                        "1000 sessions at once",
                        HEAVY,
                        slice -> slice.expect("1000 of 1000", "trouble_processes", "idle", "1000")),
                beside(
                        "2000 that say nothing",
                        HEAVY,
                        slice ->
                                slice.expect(
                                        "2000 of 2000", "trouble_processes", "silent", "2000")),
                beside(
                        "malformed records, seed " + seed,
                        HEAVY,
                        slice -> {
                            slice.expect(
                                    "",
                                    "trouble_hostile",
                                    Integer.toString(300 * SOAK),
                                    Long.toString(seed));
                        }),
                beside(
                        "SIGSTOP",
                        LIGHT,
                        slice -> {
                            Process process = slice.beginAndWait("works", 200, "trouble_work");
                            Trouble.signal("STOP", process);
                            Thread.sleep(1000);
                            Trouble.kill(process);
                        }),
                beside(
                        "SIGSTOP and on again",
                        HEAVY,
                        slice -> {
                            Process process =
                                    slice.beginAndWait("works", 100, "trouble_work", "watch");
                            for (int i = 0; i < 10; i++) {
                                Trouble.signal("STOP", process);
                                Thread.sleep(40);
                                Trouble.signal("CONT", process);
                                Thread.sleep(20);
                            }
                            endsWell(process);
                        }),
                beside(
                        "kill -9 at random instants, seed " + seed,
                        HEAVY,
                        slice -> slice.killAtRandomInstants(100 * SOAK, seed)),
                beside(
                        "kill -9 beside another of its slice",
                        HEAVY,
                        slice -> {
                            Process goesOn =
                                    slice.beginAndWait("works", 0, "trouble_work", "watch");
                            for (int i = 0; i < 10; i++) {
                                Trouble.kill(slice.beginAndWait("works", 20, "trouble_work"));
                            }
                            Trouble.kill(
                                    slice.beginAndWait("runs", 50, "trouble_kernels", "endless"));
                            endsWell(goesOn);
                        }));
    }

    private static DynamicNode fault(String what, String said) {
        return beside(
                what,
                LIGHT,
                slice ->
                        slice.expect(
                                said, "trouble_kernels", what, Long.toString(neighbour.address())));
    }

    private static DynamicNode flood(String what, String said, long much) {
        String count = Long.toString(much * SOAK);
        return beside(
                what + " flood", HEAVY, slice -> slice.expect(said, "trouble_floods", what, count));
    }

    private static void endsWell(Process process) throws IOException, InterruptedException {
        process.getOutputStream().close();
        String last = process.inputReader().lines().reduce("", (a, b) -> b);
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), "it does not end");
        assertTrue(last.startsWith("ok "), last);
    }

    /**
     * A test: the neighbour beside the act. What others do on this machine may take its share in
     * any one of the attempts; who takes it in all of them is the troublemaker.
     */
    private static DynamicNode beside(String name, double share, Act act) {
        return dynamicTest(
                name,
                () -> {
                    String problem = "";
                    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                        problem = problem(share, perform(act));
                        if (problem.isEmpty()) {
                            return;
                        }
                    }
                    fail(problem);
                });
    }

    private static Pace perform(Act act) throws IOException, InterruptedException {
        Moment start = Moment.now();
        Pace found;
        try (Control owner = daemon.control()) {
            String socket = owner.slice("trouble", "64M " + HALF);
            act.in(new Trouble(BUILDER, socket));
            // Some are over at once: the time after them counts too.
            while (System.nanoTime() - start.nanos < SHORTEST_NANOS) {
                Thread.sleep(20);
            }
            found = Moment.now().since(start);
        }
        neighbour.check(start.rounds, alone);
        assertTrue(daemon.alive(), "the daemon has ended");
        checkNothingIsLeft();
        return found;
    }

    /** What the neighbour gets done in a second: rounds, and seconds of the device. */
    private record Pace(double rounds, double device) {
        double of(Pace other) {
            return Math.max(rounds / other.rounds, device / other.device);
        }
    }

    /** Where the neighbour was at a moment. */
    private record Moment(int rounds, long device, long nanos) {
        static Moment now() throws IOException {
            long device = 0;
            for (JsonNode each : control.ask("slices").path("slices")) {
                if (each.path("name").asText().equals("neighbour")) {
                    device = each.path("deviceNanos").asLong();
                }
            }
            return new Moment(neighbour.count(), device, System.nanoTime());
        }

        Pace since(Moment start) {
            double seconds = (nanos - start.nanos) / 1e9;
            return new Pace(
                    (rounds - start.rounds) / seconds, (device - start.device) / 1e9 / seconds);
        }
    }

    /**
     * What is wrong with what the neighbour had; empty when nothing. When the machine has become
     * slower it is held against what it has there.
     */
    private static String problem(double share, Pace found)
            throws IOException, InterruptedException {
        System.out.printf(
                "%.2f of its rounds alone, %.2f of its device time; %.2f wanted%n",
                found.rounds / rate.rounds, found.device / rate.device, share);
        if (found.of(rate) >= share) {
            return "";
        }
        Pace now = paceNow();
        return found.of(now) >= share
                ? ""
                : "%s beside it, alone it was %s and is %s".formatted(found, rate, now);
    }

    private static Pace paceNow() throws IOException, InterruptedException {
        Moment start = Moment.now();
        Thread.sleep(1500);
        return Moment.now().since(start);
    }

    private static void checkNothingIsLeft() throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (true) {
            String left = left();
            if (left.isEmpty()) {
                return;
            }
            assertTrue(System.nanoTime() < end, left);
            Thread.sleep(50);
        }
    }

    private static String left() throws IOException {
        JsonNode sessions = daemon.sessions();
        Set<String> names = new TreeSet<>();
        for (JsonNode each : control.ask("slices").path("slices")) {
            names.add(each.path("name").asText());
        }
        Set<String> folders = new TreeSet<>();
        try (Stream<Path> files = Files.list(daemon.directory().resolve("slices"))) {
            files.forEach(each -> folders.add(each.getFileName().toString()));
        }
        Set<String> expected = Set.of("default", "neighbour");
        Census now = Census.of(daemon.process());
        List<String> wrong = new ArrayList<>();
        if (sessions.size() != 1) {
            wrong.add("sessions are left: " + sessions);
        }
        if (!names.equals(expected) || !folders.equals(expected)) {
            wrong.add("slices are left: " + names + ", folders " + folders);
        }
        if (!now.isLike(before)) {
            wrong.add("the daemon had " + before + " and has " + now);
        }
        return String.join("; ", wrong);
    }
}
