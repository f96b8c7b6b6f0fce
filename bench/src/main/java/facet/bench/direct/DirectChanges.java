package facet.bench.direct;

import facet.bench.Figure;
import facet.bench.Measurement;
import facet.bench.Options;
import facet.bench.Table;
import facet.bench.isolation.Control;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** How soon a change of shares is one. */
public final class DirectChanges implements Measurement {
    private static final double WANTED_MILLIS = 20;

    /** Shares are looked at over so many milliseconds: some turns of both. */
    private static final double WINDOW = 50;

    private static final double POINTS = 10;
    private static final int KERNEL = 100_000;
    private static final int LARGE = 80;

    @Override
    public String name() {
        return "direct-changes";
    }

    @Override
    public String about() {
        return "milliseconds from the moment when the daemon is told that 80/20 is 20/80 to"
                + " the first moment from which on, over 50 ms, both have what they are promised"
                + " within 10 points; 0 when that is so at once";
    }

    @Override
    public Table measure(Options options) throws Exception {
        Table table =
                new Table(name(), about())
                        .column("count", "changes")
                        .column("median_ms", "median")
                        .column("worst_ms", "worst")
                        .column("wanted_ms", "wanted");
        int changes = options.quick() ? 6 : 20;
        try (Clock clock = new Clock(options.daemon());
                Control control = clock.control()) {
            clock.create("one", "--policy", "burst", "--compute", String.valueOf(LARGE));
            clock.create("two", "--policy", "burst", "--compute", String.valueOf(100 - LARGE));
            String seconds = String.valueOf(2 + changes * 0.5);
            Clock.Running one = clock.start("one", "work", String.valueOf(KERNEL), seconds);
            Clock.Running two = clock.start("two", "work", String.valueOf(KERNEL), seconds);
            Thread.sleep(1000);
            double[] at = new double[changes];
            for (int i = 0; i < changes; i++) {
                int first = i % 2 == 0 ? 100 - LARGE : LARGE;
                at[i] = System.nanoTime() / 1e6;
                // The one that gets less comes first: together they have no more than all.
                set(control, first < LARGE ? "one" : "two", 100 - LARGE);
                set(control, first < LARGE ? "two" : "one", LARGE);
                Thread.sleep(400);
            }
            report(table, at, Did.read(one.lines()), Did.read(two.lines()));
        }
        return table;
    }

    private static void set(Control control, String slice, int percent) throws Exception {
        control.ask("slice-set", Map.of("name", slice, "compute", String.valueOf(percent)));
    }

    private static void report(Table table, double[] at, Did one, Did two) {
        List<Double> millis = new ArrayList<>();
        for (int i = 0; i < at.length; i++) {
            int promised = i % 2 == 0 ? 100 - LARGE : LARGE;
            if (!has(one, two, at[i] - WINDOW, 100 - promised)) {
                throw new IllegalStateException(
                        "before a change shares were not what they were to be");
            }
            double late = 0;
            while (late < 300 && !has(one, two, at[i] + late, promised)) {
                late++;
            }
            millis.add(late);
        }
        Collections.sort(millis);
        Map<String, Object> row = table.row();
        row.put("count", at.length);
        row.put("median_ms", millis.get(at.length / 2));
        row.put("worst_ms", millis.getLast());
        row.put("wanted_ms", WANTED_MILLIS);
        Figure.atMost(table, "a change of shares, worst", millis.getLast(), WANTED_MILLIS, " ms");
    }

    private static boolean has(Did one, Did two, double from, int promised) {
        double first = one.between(from, from + WINDOW);
        double second = two.between(from, from + WINDOW);
        return Math.abs(100 * first / (first + second) - promised) <= POINTS;
    }
}
