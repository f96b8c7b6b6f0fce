package facet.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What {@code facet run} adds to a program, with a daemon that runs and without. */
final class Starts implements Measurement {
    private static final String PROGRAM =
            Places.inRepository("native/target/demo/intruder").toString();
    private static final String KERNELS =
            Places.inRepository("native/target/demo/kernels.ptx").toString();

    /** Times in milliseconds. */
    private interface Run {
        void run() throws IOException, InterruptedException;
    }

    @Override
    public String name() {
        return "starts";
    }

    @Override
    public String about() {
        return "what facet run adds to a program, in ms (median)";
    }

    private static double time(Run action) throws IOException, InterruptedException {
        long started = System.nanoTime();
        action.run();
        return (System.nanoTime() - started) / 1e6;
    }

    @Override
    public Table measure(Options options) throws Exception {
        Table table =
                new Table(name(), about())
                        .column("what", "what")
                        .column("milliseconds", "ms")
                        .column("wanted", "wanted");
        List<Double> alone = new ArrayList<>();
        List<Double> run = new ArrayList<>();
        List<Double> slice = new ArrayList<>();
        List<Double> program = new ArrayList<>();
        List<Double> cold = new ArrayList<>();
        try (PrivateDaemon daemon = new PrivateDaemon()) {
            daemon.up(options.daemon());
            for (int i = 0; i < 5 * options.rounds(); i++) {
                alone.add(time(() -> daemon.run("/bin/true")));
                run.add(time(() -> daemon.runOnFacet("/bin/true")));
                slice.add(
                        time(() ->
                                daemon.run(
                                        PrivateDaemon.FACET.toString(),
                                        "run",
                                        "--memory",
                                        "256MiB",
                                        "--",
                                        "/bin/true")));
                program.add(time(() -> daemon.runOnFacet(PROGRAM, KERNELS)));
            }
            for (int i = 0; i < options.rounds(); i++) {
                daemon.down();
                cold.add(time(() -> daemon.runOnFacet(PROGRAM, KERNELS)));
            }
        }
        double base = Statistics.median(alone);
        row(table, "facet run adds, daemon runs", Statistics.median(run) - base, 100);
        row(table, "the same with a slice of its own", Statistics.median(slice) - base, 100);
        row(table, "a small CUDA program, daemon runs", Statistics.median(program), Double.NaN);
        row(table, "a small CUDA program, from nothing", Statistics.median(cold), 2000);
        return table;
    }

    /**
     * @param most not a number: nothing is promised
     */
    private static void row(Table table, String what, double value, double most) {
        var row = table.row();
        row.put("what", what);
        row.put("milliseconds", value);
        if (!Double.isNaN(most)) {
            row.put("wanted", most);
            Figure.atMost(table, what, value, most, " ms");
        }
    }
}
