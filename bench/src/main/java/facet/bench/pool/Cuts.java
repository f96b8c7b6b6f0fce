package facet.bench.pool;

import facet.bench.Measurement;
import facet.bench.Options;
import facet.bench.Table;
import facet.testkit.net.Road;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** All connections are cut 24 times a second, for a minute; nothing is lost or done twice. */
public final class Cuts implements Measurement {
    private static final Duration BETWEEN = Duration.ofNanos(1_000_000_000L / 24);

    private static final String[][] PROGRAMS = {
        {"launches", "5000", "200", "1"},
        {"loop", "10", "200", "1"},
        {"copies", "8", "1"},
        {"weights", "10"},
    };

    @Override
    public String name() {
        return "cuts";
    }

    @Override
    public String about() {
        return "24 cuts of all connections a second, for a minute; programs check their results";
    }

    @Override
    public Table measure(Options options) throws Exception {
        Table table =
                new Table(name(), about())
                        .column("program", "program")
                        .column("runs", "runs that were right");
        long seconds = options.quick() ? 10 : 60;
        Map<String, Integer> runs = new LinkedHashMap<>();
        try (Nodes nodes = new Nodes();
                Nodes.Near near = nodes.new Near(Road.PLAIN, 24)) {
            near.run(PROGRAMS[0]);
            near.proxy().cutEvery(BETWEEN);
            long begin = System.nanoTime();
            for (int i = 0; System.nanoTime() - begin < seconds * 1_000_000_000L; i++) {
                String[] program = PROGRAMS[i % PROGRAMS.length];
                // It ends with an error where a result is wrong.
                Nodes.Run run = near.run(program);
                assert run.traffic().waits() > 0;
                runs.merge(program[0], 1, Integer::sum);
            }
            table.summarize("connections that were cut", near.proxy().cuts());
        }
        runs.forEach((program, count) -> {
            Map<String, Object> row = table.row();
            row.put("program", program);
            row.put("runs", count);
        });
        if (runs.size() < PROGRAMS.length) {
            table.fail("only " + runs.keySet() + " came to their end");
        }
        return table;
    }
}
