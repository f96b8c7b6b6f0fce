package facet.bench.containers;

import facet.bench.Figure;
import facet.bench.Measurement;
import facet.bench.Options;
import facet.bench.Statistics;
import facet.bench.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What a slice adds to a container that starts, does nothing and ends. */
public final class ContainerStarts implements Measurement {
    private static final int MOST_MILLIS = 50;
    private static final List<String> COMMAND = List.of(RootFilesystem.TRUE);

    /**
     * @param restored whether config.json is that of a new container each time
     */
    private record Kind(String what, String runtime, Bundle bundle, boolean restored) {}

    @Override
    public String name() {
        return "starts";
    }

    @Override
    public String about() {
        return "a container that does nothing, from runc run to its end, in ms (median), and what"
                + " is more than without Facet";
    }

    @Override
    public Table measure(Options options) throws Exception {
        Table table =
                new Table(name(), about())
                        .column("what", "what")
                        .column("milliseconds", "ms")
                        .column("added_milliseconds", "added")
                        .column("added_p90_milliseconds", "added, p90");
        String hindrance = Station.hindrance();
        if (!hindrance.isEmpty()) {
            table.note(hindrance);
            return table;
        }
        try (Station station = new Station()) {
            Bundle plain = station.bundle(COMMAND);
            Bundle wish = station.bundle(COMMAND, "FACET_MEMORY=64MiB", "FACET_COMPUTE=10");
            Bundle hooked = station.bundle(COMMAND, "FACET_MEMORY=64MiB", "FACET_COMPUTE=10");
            // The wrapper leaves the hooks in config.json.
            station.run(Station.WRAPPER, hooked, "first");
            measure(
                    table,
                    station,
                    List.of(
                            new Kind("without Facet: runc", Station.RUNC, plain, false),
                            new Kind("with a slice: hook", Station.RUNC, hooked, false),
                            new Kind("with a slice: facet-runtime", Station.WRAPPER, wish, true),
                            new Kind("no slice: facet-runtime", Station.WRAPPER, plain, false)),
                    options.quick() ? 5 : 5 * options.rounds());
        }
        return table;
    }

    /** In turns, since the machine has other work too. */
    private static void measure(Table table, Station station, List<Kind> kinds, int rounds)
            throws IOException, InterruptedException {
        List<List<Double>> times = new ArrayList<>();
        kinds.forEach(_ -> times.add(new ArrayList<>()));
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < kinds.size(); i++) {
                times.get(i).add(time(station, kinds.get(i), "c" + round + "-" + i));
            }
        }
        List<Double> base = times.getFirst();
        for (int i = 0; i < kinds.size(); i++) {
            double median = Statistics.median(times.get(i));
            double added = median - Statistics.median(base);
            Map<String, Object> row = table.row();
            row.put("what", kinds.get(i).what());
            row.put("milliseconds", median);
            if (i > 0) {
                row.put("added_milliseconds", added);
                row.put(
                        "added_p90_milliseconds",
                        Statistics.quantile(times.get(i), 0.9) - Statistics.quantile(base, 0.9));
                Figure.atMost(table, kinds.get(i).what() + " adds", added, MOST_MILLIS, " ms");
            }
        }
        table.summarize("rounds", rounds);
    }

    private static double time(Station station, Kind kind, String id)
            throws IOException, InterruptedException {
        if (kind.restored()) {
            kind.bundle().restore();
        }
        long started = System.nanoTime();
        station.run(kind.runtime(), kind.bundle(), id);
        return (System.nanoTime() - started) / 1e6;
    }
}
