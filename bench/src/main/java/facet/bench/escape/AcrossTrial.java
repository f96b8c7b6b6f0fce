package facet.bench.escape;

import facet.bench.escape.Cell.Verdict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Programs that reach for memory which is not theirs, while two slices beside them hold memory that
 * has marks in it.
 */
final class AcrossTrial {
    private static final long MEMORY = 64L << 20;
    private static final long MARKED = MEMORY / 2;
    private static final int NEIGHBOURS = 2;

    private static final Way VICTIM = new Way("plain-large", Way.Kind.MEMORY, List.of());

    private final Escape escape;
    private final Ground ground;

    AcrossTrial(Escape escape, Ground ground) {
        this.escape = escape;
        this.ground = ground;
    }

    /**
     * @param reached accesses that went well, of all processes
     * @param code what went wrong otherwise, or 0
     * @param marked bytes of the slices beside it
     * @param kept of these that are as they were
     */
    private record Found(long reached, int code, long marked, long kept) {
        private String text() {
            return "%d accesses went well, the last result is %d; of %d bytes of others %d are kept"
                    .formatted(reached, code, marked, kept);
        }
    }

    /** Aims at what others have. */
    Cell elsewhere(Way way, int processes)
            throws IOException, InterruptedException, TrialException {
        Found found = run(way, processes, 0);
        if (found.reached() > 0 || found.kept() < found.marked()) {
            return new Cell(Verdict.PASSED, found.reached(), found.text());
        }
        return new Cell(
                found.code() == 0 ? Verdict.HELD : Verdict.BROKEN, found.reached(), found.text());
    }

    /** Aims at memory of its own, by the same instructions. */
    Cell atHome(Way way) throws IOException, InterruptedException, TrialException {
        Found found = run(way, 1, 1);
        boolean all = found.reached() > 0 && found.code() == 0;
        return new Cell(all ? Verdict.PASSED : Verdict.HELD, found.reached(), found.text());
    }

    private Found run(Way way, int processes, int aim)
            throws IOException, InterruptedException, TrialException {
        List<AutoCloseable> open = new ArrayList<>();
        try {
            List<Player> victims = new ArrayList<>();
            for (int i = 0; i < NEIGHBOURS; i++) {
                Node beside = slice(way.name() + "-beside");
                open.add(beside);
                victims.addAll(start(open, VICTIM, 1, beside, MARKED));
            }
            long marked = sum(step(victims, "go", "held"));
            Node node = slice(way.name());
            open.add(node);
            List<Player> players = start(open, way, processes, node, aim);
            List<String[]> got = step(players, "go", "held");
            long kept = sum(step(victims, "check", "kept"));
            int code = 0;
            for (String[] each : got) {
                code = code == 0 ? Integer.parseInt(each[2]) : code;
            }
            step(players, "check", "kept");
            finish(players);
            finish(victims);
            return new Found(sum(got), code, marked, kept);
        } finally {
            close(open);
        }
    }

    private Node slice(String name) throws IOException {
        return ground.slice(name, "memory=" + MEMORY);
    }

    private List<Player> start(
            List<AutoCloseable> open, Way way, int processes, Node node, long want)
            throws IOException, InterruptedException, TrialException {
        List<Player> players = new ArrayList<>();
        for (int i = 0; i < processes; i++) {
            Player player =
                    new Player(
                            escape.start(
                                    ground.environment(node),
                                    "take",
                                    way.name(),
                                    Long.toString(want)));
            open.add(player);
            players.add(player);
        }
        for (Player each : players) {
            each.hear("ready");
        }
        return players;
    }

    private static List<String[]> step(List<Player> players, String told, String heard)
            throws InterruptedException, TrialException {
        players.forEach(each -> each.tell(told));
        List<String[]> all = new ArrayList<>();
        for (Player each : players) {
            all.add(each.hear(heard));
        }
        return all;
    }

    private static long sum(List<String[]> said) {
        return said.stream().mapToLong(each -> Long.parseLong(each[1])).sum();
    }

    /** All of them go on well. */
    private static void finish(List<Player> players) throws InterruptedException, TrialException {
        step(players, "give", "given");
        for (String[] each : step(players, "after", "after")) {
            if (!each[1].equals("0")) {
                throw new TrialException("afterwards it cannot work: " + each[1]);
            }
        }
        for (Player each : players) {
            each.end();
        }
    }

    private static void close(List<AutoCloseable> open) throws IOException {
        for (AutoCloseable each : open.reversed()) {
            try {
                each.close();
            } catch (IOException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
