package facet.bench.escape;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Processes that make work in one way, all at the same time, in a slice with a hard share, beside a
 * neighbour who has the rest and always something to do.
 */
final class ComputeTrial {
    /** Until a pace is found; also the first launches compile their kernels. */
    private static final Duration SETTLE = Duration.ofMillis(400);

    private static final Way NEIGHBOUR = new Way("launch-huge", Way.Kind.COMPUTE, List.of());

    private final Escape escape;
    private final Ground ground;

    /**
     * Device time that was had, as a part of what there is: 1 is all of it.
     *
     * @param own of the slice that was tried
     * @param neighbour of the one that should have had the rest
     */
    record Found(double own, double neighbour, boolean isAlone) {}

    ComputeTrial(Escape escape, Ground ground) {
        this.escape = escape;
        this.ground = ground;
    }

    /**
     * @param percent its hard share; 100 for none, and then there is no neighbour
     */
    Found run(Way way, int processes, int percent, Duration window)
            throws IOException, InterruptedException, TrialException {
        List<Player> players = new ArrayList<>();
        boolean alone = percent == 100;
        try (Node node = slice(way.name(), percent);
                Node neighbour = slice("neighbour", alone ? 1 : 100 - percent)) {
            start(players, way, processes, node);
            if (!alone) {
                start(players, NEIGHBOUR, 1, neighbour);
            }
            for (Player each : players) {
                each.hear("ready");
            }
            players.forEach(each -> each.tell("go"));
            for (Player each : players) {
                each.hear("working");
            }
            Thread.sleep(SETTLE);
            long started = System.nanoTime();
            long before = node.figure("deviceNanos");
            long beforeOfNeighbour = neighbour.figure("deviceNanos");
            Thread.sleep(window);
            long spent = node.figure("deviceNanos") - before;
            long spentByNeighbour = neighbour.figure("deviceNanos") - beforeOfNeighbour;
            // What they have launched by now may take long within the share; nobody waits for it.
            double passed = (double) (System.nanoTime() - started) * ground.means().seats();
            return new Found(spent / passed, spentByNeighbour / passed, alone);
        } finally {
            players.forEach(Player::close);
        }
    }

    private Node slice(String name, int percent) throws IOException {
        String share = percent < 100 ? " compute=" + percent : "";
        return ground.slice(name, "memory=1G" + share);
    }

    private void start(List<Player> players, Way way, int processes, Node node) throws IOException {
        for (int i = 0; i < processes; i++) {
            Map<String, String> environment = ground.environment(node);
            players.add(new Player(escape.start(environment, "work", way.name())));
        }
    }
}
