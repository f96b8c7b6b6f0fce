package facet.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a daemon takes that has nothing to do. */
final class IdleDaemon implements Measurement {
    private static final int SECONDS = 15;

    /** Ticks of /proc in a second; fixed on Linux. */
    private static final double TICKS = 100;

    @Override
    public String name() {
        return "idle";
    }

    @Override
    public String about() {
        return "what a daemon takes that has nothing to do";
    }

    @Override
    public Table measure(Options options) throws Exception {
        Table table =
                new Table(name(), about())
                        .column("what", "what")
                        .column("value", "value")
                        .column("unit", "unit")
                        .column("wanted", "wanted");
        try (PrivateDaemon daemon = new PrivateDaemon()) {
            daemon.up(options.daemon());
            measure(table, daemon.pid(), "fresh");
            daemon.runOnFacet(
                    Places.inRepository("native/target/demo/nbody").toString(),
                    Places.inRepository("native/target/demo/kernels.ptx").toString(),
                    "3");
            measure(table, daemon.pid(), "after a program");
        }
        return table;
    }

    private static void measure(Table table, long pid, String when)
            throws IOException, InterruptedException {
        Thread.sleep(2000);
        double before = cpuSeconds(pid);
        long started = System.nanoTime();
        Thread.sleep(SECONDS * 1000L);
        double share = (cpuSeconds(pid) - before) / ((System.nanoTime() - started) / 1e9);
        row(table, "processor, " + when, 100 * share, "% of a core", 1);
        row(table, "memory, " + when, resident(pid) / 1024.0, "MiB", 200);
    }

    private static void row(Table table, String what, double value, String unit, double most) {
        var row = table.row();
        row.put("what", what);
        row.put("value", value);
        row.put("unit", unit);
        row.put("wanted", most);
        Figure.atMost(table, what, value, most, " " + unit);
    }

    private static double cpuSeconds(long pid) throws IOException {
        String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS;
    }

    /** In KiB. */
    private static long resident(long pid) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        throw new IOException("process " + pid + " does not tell its memory");
    }
}
