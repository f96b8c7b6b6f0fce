package facet.bench.pool;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A program on the device's node and from elsewhere, in turns: what is slow for a while is so for
 * both.
 */
final class Turns {
    private final Nodes nodes;
    private final Nodes.Near near;
    private final String figure;
    private final int rounds;
    private final List<Double> locals = new ArrayList<>();
    private final List<Double> remotes = new ArrayList<>();
    private final List<Double> roundTrips = new ArrayList<>();
    private Nodes.Traffic last = Nodes.Traffic.NONE;

    /**
     * @param figure that the program prints
     */
    Turns(Nodes nodes, Nodes.Near near, String figure, int rounds) {
        this.nodes = nodes;
        this.near = near;
        this.figure = figure;
        this.rounds = rounds;
    }

    void run(String... arguments) throws IOException, InterruptedException {
        for (int i = 0; i < rounds; i++) {
            locals.add(nodes.locally(arguments).get(figure));
            Nodes.Run run = near.run(arguments);
            remotes.add(run.get(figure));
            last = run.traffic();
            roundTrips.add(last.roundTrip());
        }
    }

    double local() {
        return median(locals);
    }

    double remote() {
        return median(remotes);
    }

    /** Seconds, as the links have measured it. */
    double roundTrip() {
        return median(roundTrips);
    }

    /** What the last turn sent. */
    Nodes.Traffic last() {
        return last;
    }

    private static double median(List<Double> all) {
        return all.stream().sorted().skip(all.size() / 2).findFirst().orElseThrow();
    }
}
