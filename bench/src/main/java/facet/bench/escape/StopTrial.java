package facet.bench.escape;

import facet.bench.escape.Cell.Verdict;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Programs whose work does not end, or that have code made without end. They are killed in the
 * middle of it: then all of it has to be gone. Beside them an idle program is killed, which shows
 * how long that takes on this machine now.
 */
final class StopTrial {
    /** How long what a tenant has caused may last when the tenant is gone. */
    private static final double MOST_SECONDS = 1;

    /** Device time that shows that they work. */
    private static final long WORK_NANOS = 50_000_000;

    /** Part of the processor time of daemon and worker that must be on the slice's bill. */
    private static final double LEAST_CHARGED = 0.5;

    /** Threads that daemon and worker keep for what comes next. */
    private static final long MORE_THREADS = 32;

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration REST = Duration.ofMillis(200);
    private static final int LOOKS = 10;
    private static final long PAUSE_MILLISECONDS = 5;

    private static final Way IDLE = new Way("launch", Way.Kind.COMPUTE, List.of());

    private final Escape escape;
    private final Ground ground;
    private final Duration window;

    /**
     * @param charged device time that was charged while they worked
     * @param processor time that daemon and worker had of the machine meanwhile, by {@link Running}
     * @param seconds until nothing was left of them
     * @param usual seconds until nothing was left of an idle program
     * @param threads that were left of theirs
     * @param works whether they still do something then
     */
    record Found(
            long charged,
            long processor,
            double seconds,
            double usual,
            long threads,
            boolean works) {
        private String text() {
            return String.format(
                    Locale.ROOT,
                    "%.2f s on its bill of %.2f s of processors; gone after %.2f s, an idle program"
                            + " after %.2f s; then %d threads more%s",
                    charged / 1e9,
                    processor / 1e9,
                    seconds,
                    usual,
                    threads,
                    works ? ", and works on" : "");
        }
    }

    /**
     * @param window for how long they work
     */
    StopTrial(Escape escape, Ground ground, Duration window) {
        this.escape = escape;
        this.ground = ground;
        this.window = window;
    }

    /** Kills them, and judges what is left. */
    Cell killed(Way way, int processes) throws IOException, InterruptedException, TrialException {
        Found found = run(way, processes, true);
        boolean charged = found.charged() >= LEAST_CHARGED * found.processor();
        boolean gone =
                found.seconds() <= MOST_SECONDS + 2 * found.usual()
                        && found.threads() <= MORE_THREADS
                        && !found.works();
        return new Cell(
                charged && gone ? Verdict.HELD : Verdict.PASSED, found.seconds(), found.text());
    }

    /** Leaves them alone: one that ends by itself, or does next to nothing, shows nothing. */
    Cell leftAlone(Way way) throws IOException, InterruptedException, TrialException {
        Found found = run(way, 1, false);
        return new Cell(
                found.works() ? Verdict.PASSED : Verdict.HELD, found.seconds(), found.text());
    }

    private Found run(Way way, int processes, boolean killed)
            throws IOException, InterruptedException, TrialException {
        List<Player> players = new ArrayList<>();
        try (Node node = slice(way.name());
                Node beside = slice("idle");
                Player idle = start(IDLE, beside)) {
            for (int i = 0; i < processes; i++) {
                players.add(start(way, node));
            }
            idle.hear("ready");
            for (Player each : players) {
                each.hear("ready");
            }
            Running before = Running.of(node);
            long chargedBefore = node.figure("deviceNanos");
            players.forEach(each -> each.tell("go"));
            for (Player each : players) {
                each.hear("working");
            }
            await(() -> node.figure("deviceNanos") - chargedBefore > WORK_NANOS, "it does nothing");
            Thread.sleep(window);
            long processor = Running.of(node).nanosSince(before);
            long charged = node.figure("deviceNanos") - chargedBefore;
            double usual = 0;
            double seconds = 0;
            if (killed) {
                usual = end(List.of(idle), beside, Long.MAX_VALUE);
                seconds = end(players, node, before.threads() + MORE_THREADS);
            }
            long threads = Running.of(node).threads() - before.threads();
            return new Found(charged, processor, seconds, usual, threads, works(node));
        } finally {
            players.forEach(Player::close);
        }
    }

    /** Kills them, and waits until they are gone; says for how many seconds. */
    private static double end(List<Player> players, Node node, long threads)
            throws IOException, InterruptedException, TrialException {
        long start = System.nanoTime();
        for (Player each : players) {
            each.kill();
        }
        await(() -> node.figure("sessions") == 0, "its session stays");
        await(() -> Running.of(node).threads() <= threads, "its threads stay");
        return (System.nanoTime() - start) / 1e9;
    }

    /**
     * Whether device time goes on being charged. Of what a worker did some comes to its slice's
     * bill a little later, and then no more.
     */
    private static boolean works(Node node) throws IOException, InterruptedException {
        long before = -1;
        for (int i = 0; i < LOOKS; i++) {
            long now = node.figure("deviceNanos");
            if (now == before) {
                return false;
            }
            before = now;
            Thread.sleep(REST);
        }
        return true;
    }

    /** Something that may be asked of a daemon. */
    private interface Question {
        boolean ask() throws IOException;
    }

    private static void await(Question question, String otherwise)
            throws IOException, InterruptedException, TrialException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!question.ask()) {
            if (System.nanoTime() > end) {
                throw new TrialException(otherwise + " for " + PATIENCE.toSeconds() + " s");
            }
            Thread.sleep(PAUSE_MILLISECONDS);
        }
    }

    private Node slice(String name) throws IOException {
        return ground.slice(name, "memory=1G compute=" + EscapeMatrix.SHARE);
    }

    private Player start(Way way, Node node) throws IOException {
        return new Player(escape.start(ground.environment(node), "work", way.name()));
    }
}
