package facet.bench.escape;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Processes that take memory in one way, all at the same time, in a slice of their own. */
final class MemoryTrial {
    /**
     * What was found.
     *
     * @param kept bytes that kept their marks at the same time, of all processes
     * @param most bytes that the daemon has counted; what was above the limit for less than a
     *     second is left out
     * @param last bytes that it counted when all processes had what they get
     * @param watched bytes in use, as NVML says when all processes have what they get
     * @param codes what refused them; 0 when nothing did
     * @param after how a small allocation and a launch went afterwards; 0 is well
     */
    record Found(
            long kept,
            long most,
            long last,
            long watched,
            TreeSet<Integer> codes,
            TreeSet<Integer> after) {}

    private final Escape escape;
    private final Ground ground;

    MemoryTrial(Escape escape, Ground ground) {
        this.escape = escape;
        this.ground = ground;
    }

    /**
     * @param memory of the slice, in bytes
     * @param want what each process tries to get, in bytes
     */
    Found run(Way way, int processes, long memory, long want)
            throws IOException, InterruptedException, TrialException {
        List<Player> players = new ArrayList<>();
        try (Node node = ground.slice(way.name(), "memory=" + memory)) {
            Map<String, String> environment = new HashMap<>(ground.environment(node));
            if (processes > 1) {
                environment.put("ESCAPE_CROWD", "1");
            }
            environment.put(
                    "ESCAPE_OTHER",
                    Path.of(node.socket()).resolve("../../default/socket").toString());
            for (int i = 0; i < processes; i++) {
                players.add(
                        new Player(
                                escape.start(
                                        environment, "take", way.name(), Long.toString(want))));
            }
            try (Player watcher = new Player(escape.start(ground.environment(node), "watch"))) {
                Found found = play(players, watcher, node, EscapeMatrix.LIMIT);
                for (Player each : players) {
                    each.end();
                }
                return found;
            }
        } finally {
            players.forEach(Player::close);
        }
    }

    private static Found play(List<Player> players, Player watcher, Node node, long limit)
            throws IOException, InterruptedException, TrialException {
        hearAll(players, "ready");
        players.forEach(each -> each.tell("go"));
        Sampler sampler = new Sampler(node, limit);
        TreeSet<Integer> codes = new TreeSet<>();
        long kept = 0;
        long[] most;
        long watched;
        try {
            for (String[] each : hearAll(players, "held")) {
                codes.add(Integer.parseInt(each[2]));
            }
            watcher.tell("look");
            watched = Long.parseLong(watcher.hear("")[0]);
            players.forEach(each -> each.tell("check"));
            for (String[] each : hearAll(players, "kept")) {
                kept += Long.parseLong(each[1]);
            }
        } finally {
            most = sampler.stop();
        }
        players.forEach(each -> each.tell("give"));
        hearAll(players, "given");
        players.forEach(each -> each.tell("after"));
        TreeSet<Integer> after = new TreeSet<>();
        for (String[] each : hearAll(players, "after")) {
            after.add(Integer.parseInt(each[1]));
        }
        return new Found(kept, most[0], most[1], watched, codes, after);
    }

    private static List<String[]> hearAll(List<Player> players, String word)
            throws InterruptedException, TrialException {
        List<String[]> all = new ArrayList<>();
        for (Player each : players) {
            all.add(each.hear(word));
        }
        return all;
    }

    /**
     * Looks at what the slice has, again and again. The daemon reads the rings of sessions side by
     * side: it may count an allocation before the free of another session that made room for it. So
     * a moment above the limit is none; what lasts is.
     */
    private static final class Sampler {
        private static final long PAUSE_MILLISECONDS = 3;
        private static final long MOMENT_NANOS = 1_000_000_000;

        private final Node node;
        private final long limit;
        private final FutureTask<long[]> figures;
        private volatile boolean over;

        Sampler(Node node, long limit) {
            this.node = node;
            this.limit = limit;
            this.figures = new FutureTask<>(this::look);
            Thread.ofVirtual().name("escape-sampler").start(figures);
        }

        private long[] look() throws IOException, InterruptedException {
            long most = 0;
            long within = System.nanoTime();
            while (true) {
                boolean last = over;
                long used = node.figure("memoryUsed");
                long now = System.nanoTime();
                if (used <= limit) {
                    within = now;
                }
                if (now - within < MOMENT_NANOS && !last) {
                    most = Math.max(most, Math.min(used, limit));
                } else {
                    most = Math.max(most, used);
                }
                if (last) {
                    return new long[] {most, used};
                }
                Thread.sleep(PAUSE_MILLISECONDS);
            }
        }

        /** The most, and the last. */
        long[] stop() throws IOException, InterruptedException {
            over = true;
            try {
                return figures.get();
            } catch (ExecutionException e) {
                throw new IOException("the slice cannot be watched", e.getCause());
            }
        }
    }
}
