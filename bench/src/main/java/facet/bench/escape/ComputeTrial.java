package facet.bench.escape;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Processes that make work in one way, all at the same time, in a slice with a hard share. */
final class ComputeTrial {
    /** Until a pace is found; also the first launches compile their kernels. */
    private static final Duration SETTLE = Duration.ofMillis(400);

    private final Escape escape;
    private final Path runtimeDirectory;

    ComputeTrial(Escape escape, Path runtimeDirectory) {
        this.escape = escape;
        this.runtimeDirectory = runtimeDirectory;
    }

    /**
     * The device time that the slice had, as a part of what there is: 1 is all of it.
     *
     * @param percent its hard share; 100 for none
     */
    double run(Way way, int processes, int percent, Duration window)
            throws IOException, InterruptedException, TrialException {
        List<Player> players = new ArrayList<>();
        String wanted = "memory=1G" + (percent < 100 ? " compute=" + percent : "");
        try (Node node = new Node(runtimeDirectory, "escape-" + way.name(), wanted)) {
            for (int i = 0; i < processes; i++) {
                Map<String, String> environment = Map.of("FACET_SOCKET", node.socket());
                players.add(new Player(escape.start(environment, "work", way.name())));
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
            Thread.sleep(window);
            long spent = node.figure("deviceNanos") - before;
            double passed = (double) (System.nanoTime() - started);
            // What they have launched by now may take long within the share; nobody waits for it.
            return spent / passed / Runtime.getRuntime().availableProcessors();
        } finally {
            players.forEach(Player::close);
        }
    }
}
