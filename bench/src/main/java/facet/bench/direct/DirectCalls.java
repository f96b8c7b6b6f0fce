package facet.bench.direct;

import facet.bench.Figure;
import facet.bench.Measurement;
import facet.bench.Options;
import facet.bench.Table;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What calls cost more than the driver's own. */
public final class DirectCalls implements Measurement {
    private static final Map<String, Double> MOST =
            Map.of("launch", 100.0, "allocate and free", 600.0);

    private static final String COUNT = "2000";

    @Override
    public String name() {
        return "direct-calls";
    }

    @Override
    public String about() {
        return "nanoseconds a call, with the direct engine before the driver and without; an"
                + " allocation with its free is two calls";
    }

    @Override
    public Table measure(Options options) throws Exception {
        Table table =
                new Table(name(), about())
                        .column("call", "call")
                        .column("vendor_ns", "driver")
                        .column("direct_ns", "direct")
                        .column("more_ns", "more")
                        .column("wanted_ns", "wanted");
        try (Clock clock = new Clock(options.daemon())) {
            clock.create("calls", "--memory", "1GiB");
            Map<String, Double> vendor = read(clock.startOnVendor("cost", COUNT).lines());
            Map<String, Double> direct = read(clock.start("calls", "cost", COUNT).lines());
            vendor.forEach((call, alone) -> {
                double with = direct.getOrDefault(call, Double.NaN);
                Map<String, Object> row = table.row();
                row.put("call", call);
                row.put("vendor_ns", alone);
                row.put("direct_ns", with);
                row.put("more_ns", with - alone);
                Double most = MOST.get(call);
                if (most != null) {
                    row.put("wanted_ns", most);
                    Figure.atMost(table, call + ", more", with - alone, most, " ns");
                }
            });
        }
        return table;
    }

    private static Map<String, Double> read(List<String> lines) {
        Map<String, Double> all = new LinkedHashMap<>();
        for (String line : lines) {
            String[] fields = line.split("\t", -1);
            all.put(fields[0], Double.parseDouble(fields[1]));
        }
        return all;
    }
}
