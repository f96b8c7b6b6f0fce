package facet.bench;

import java.util.Map;

/** Times of driver calls, taken in a C program that runs on Facet. */
final class Calls implements Measurement {
    /** At most so many microseconds. */
    private static final Map<String, Double> MOST =
            Map.of(
                    "launch", 1.0,
                    "launch and wait", 8.0,
                    "launch a graph of 100", 3.0,
                    "wait hot", 2.0,
                    "wait after idling", 30.0,
                    "allocate and free 256 B", 1.0,
                    "allocate and free 1 MiB", 1.0,
                    "copy to device 4 KiB", 5.0,
                    "copy from device 4 KiB", 5.0);

    /** Of memcpy in the same process, for copies of much. */
    private static final double LEAST_OF_MEMCPY = 0.8;

    @Override
    public String name() {
        return "calls";
    }

    @Override
    public String about() {
        return "what driver calls cost the caller, median and 99th percentile";
    }

    @Override
    public Table measure(Options options) throws Exception {
        Table table =
                new Table(name(), about())
                        .column("call", "call")
                        .column("median", "median")
                        .column("p99", "p99")
                        .column("unit", "unit")
                        .column("wanted", "wanted")
                        .column("ofMemcpy", "of memcpy");
        try (PrivateDaemon daemon = new PrivateDaemon()) {
            daemon.up(options.daemon());
            double memcpy = Double.NaN;
            for (String line :
                    daemon.runOnFacet(
                            Places.inRepository("native/target/bench/path").toString(),
                            Places.inRepository("bench/path/path.ptx").toString())) {
                String[] fields = line.split("\t", -1);
                double median = Double.parseDouble(fields[1]);
                Map<String, Object> row = table.row();
                row.put("call", fields[0]);
                row.put("median", median);
                row.put("unit", fields[2]);
                double worst = Double.parseDouble(fields[3]);
                if (worst > 0) {
                    row.put("p99", worst);
                }
                Double most = MOST.get(fields[0]);
                if (most != null) {
                    row.put("wanted", most);
                    Figure.atMost(table, fields[0], median, most, " us");
                }
                if (fields[0].startsWith("memcpy")) {
                    memcpy = median;
                } else if (fields[2].equals("GB/s")) {
                    double part = median / memcpy;
                    row.put("ofMemcpy", part);
                    row.put("wanted", LEAST_OF_MEMCPY + " of memcpy");
                    Figure.atLeast(table, fields[0] + ", of memcpy", part, LEAST_OF_MEMCPY, "");
                }
            }
        }
        return table;
    }
}
