package facet.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The same calls by a program on a driver, and by a program on Facet that has this driver as its
 * device. The driver is Facet's own on the software GPU of another daemon: ratios alone mean
 * something, and none of them is about a real GPU. Memory of a slice is mapped where the slice has
 * it, which costs this driver a copy more than memory where it likes; so copies are compared with
 * the driver's own of both kinds, and promised against those of the same kind.
 */
final class ForwardedVendor implements Measurement {
    private static final double MOST_LAUNCH = 1.0;
    private static final double LEAST_OF_DRIVER = 0.7;

    private record Call(double median, double worst, String unit) {}

    @Override
    public String name() {
        return "forwarded-vendor";
    }

    @Override
    public String about() {
        return "what driver calls cost on a vendor's device, beside the driver itself";
    }

    @Override
    public Table measure(Options options) throws Exception {
        Table table =
                new Table(name(), about())
                        .column("call", "call")
                        .column("driver", "driver")
                        .column("forwarded", "forwarded")
                        .column("unit", "unit")
                        .column("ratio", "forwarded / driver");
        try (PrivateDaemon lower = new PrivateDaemon();
                PrivateDaemon upper = new PrivateDaemon()) {
            lower.up("--http", "off", "--memory", "4G");
            upper.up(
                    "--http",
                    "off",
                    "--gpu",
                    "vendor",
                    "--vendor-libraries",
                    Places.inRepository("native/target/lib").toString(),
                    "--vendor-environment",
                    "FACET_SOCKET=" + lower.directory().resolve("socket").toRealPath());
            Map<String, Call> own = calls(lower, "mapped");
            Map<String, Call> forwarded = calls(upper);
            own.forEach((call, driver) -> {
                // Memory that the driver has where somebody else has said: what a slice has.
                String asked = call.replace("mapped memory", "device");
                add(table, call, driver, forwarded.get(asked));
            });
        }
        return table;
    }

    private static void add(Table table, String call, Call driver, @Nullable Call ours) {
        if (ours == null || call.startsWith("memcpy")) {
            return;
        }
        Map<String, Object> row = table.row();
        double ratio = ours.median / driver.median;
        row.put("call", call);
        row.put("driver", driver.median);
        row.put("forwarded", ours.median);
        row.put("unit", driver.unit);
        row.put("ratio", ratio);
        if (call.equals("launch")) {
            Figure.atMost(table, call, ours.median, MOST_LAUNCH, " us");
        } else if (call.contains("mapped memory")) {
            Figure.atLeast(table, call + ", of the driver's", ratio, LEAST_OF_DRIVER, "");
        }
    }

    private static Map<String, Call> calls(PrivateDaemon daemon, String... more) throws Exception {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                PrivateDaemon.FACET.toString(),
                                "run",
                                "--engine",
                                "forwarded",
                                "--",
                                Places.inRepository("native/target/bench/path").toString(),
                                Places.inRepository("bench/path/path.ptx").toString()));
        command.addAll(List.of(more));
        List<String> lines = daemon.run(command.toArray(String[]::new));
        Map<String, Call> all = new LinkedHashMap<>();
        for (String line : lines) {
            String[] fields = line.split("\t", -1);
            all.put(
                    fields[0],
                    new Call(
                            Double.parseDouble(fields[1]),
                            Double.parseDouble(fields[3]),
                            fields[2]));
        }
        return all;
    }
}
