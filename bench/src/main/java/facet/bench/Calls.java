package facet.bench;

import java.util.Map;

/** Times of driver calls, taken in a C program that runs on Facet. */
final class Calls implements Measurement {
    /** At most so much of the unit; of copies at least so much of memcpy. */
    private static final Map<String, String> WANTED =
            Map.ofEntries(
                    Map.entry("launch", "1"),
                    Map.entry("wait hot", "2"),
                    Map.entry("wait after idling", "30"),
                    Map.entry("allocate and free 256 B", "1"),
                    Map.entry("allocate and free 1 MiB", "1"),
                    Map.entry("copy to device 64 MiB", "80 % of memcpy"),
                    Map.entry("copy from device 64 MiB", "80 % of memcpy"),
                    Map.entry("copy to device 4 KiB", "5"),
                    Map.entry("copy from device 4 KiB", "5"));

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
                row.put("wanted", WANTED.getOrDefault(fields[0], ""));
                if (fields[0].startsWith("memcpy")) {
                    memcpy = median;
                } else if (fields[2].equals("GB/s")) {
                    row.put("ofMemcpy", median / memcpy);
                }
            }
        }
        return table;
    }
}
