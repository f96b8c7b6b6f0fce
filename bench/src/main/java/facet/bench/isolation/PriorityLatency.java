package facet.bench.isolation;

import facet.bench.Figure;
import facet.bench.Measurement;
import facet.bench.Options;
import facet.bench.Statistics;
import facet.bench.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A service of high priority beside a program that always has work: how long its requests take. */
public final class PriorityLatency implements Measurement {
    private static final int SEED = 7;
    private static final int GAP_MICROS = 10_000;

    /** Alone and beside the other in turns: what else the machine does disturbs both. */
    private static final int ROUNDS = 8;

    /** In a round. */
    private static final int REQUESTS = 125;

    private static final long LEAD_NANOS = 200_000_000;

    /** Twice as long as the requests of a round should take. */
    private static final long HOG_NANOS = 3_000_000_000L;

    private static final Load REQUEST = Load.MILLIS_1;
    private static final Share SERVICE = Share.priority(10);

    private record Neighbour(String text, Share share, Load load) {}

    private static final List<Neighbour> NEIGHBOURS =
            List.of(
                    new Neighbour("priority 0", Share.priority(0), Load.MILLIS_50),
                    new Neighbour("priority 0", Share.priority(0), Load.LONG_BLOCKS),
                    new Neighbour("burst 50", Share.burst(50), Load.MILLIS_50),
                    new Neighbour("burst 50", Share.burst(50), Load.LONG_BLOCKS));

    @Override
    public String name() {
        return "priority";
    }

    @Override
    public String about() {
        return "requests of 1 ms at random times, priority 10, beside a program that always has"
                + " work; latencies in ms";
    }

    @Override
    public Table measure(Options options) throws Exception {
        Table table =
                new Table(name(), about())
                        .column("neighbour", "neighbour")
                        .column("kernels", "its kernels")
                        .column("alone_p50_ms", "alone p50")
                        .column("alone_p99_ms", "alone p99")
                        .column("requests", "requests")
                        .column("p50_ms", "p50")
                        .column("p99_ms", "p99")
                        .column("wanted_ms", "wanted")
                        .column("service_percent", "service had %")
                        .column("neighbour_percent", "neighbour had %");
        try (Ground ground = new Ground(options.daemon())) {
            ground.calibrate(List.of(REQUEST, Load.MILLIS_50, Load.LONG_BLOCKS));
            for (Neighbour each : NEIGHBOURS) {
                try {
                    measure(table, ground, each, options);
                } catch (IOException e) {
                    table.fail(label(each) + ": " + e.getMessage());
                }
            }
        }
        return table;
    }

    private static String label(Neighbour neighbour) {
        return neighbour.text + " with " + neighbour.load.text();
    }

    private static void measure(Table table, Ground ground, Neighbour neighbour, Options options)
            throws IOException, InterruptedException {
        int rounds = options.quick() ? 2 : ROUNDS;
        Tenant service = ground.tenant("service", SERVICE, REQUEST);
        Tenant hog = ground.tenant("hog", neighbour.share, neighbour.load);
        List<String> slices = List.of(service.slice(), hog.slice());
        List<long[]> alone = new ArrayList<>();
        List<long[]> beside = new ArrayList<>();
        Gaps gaps;
        double available = 0;
        long[] had = new long[2];
        try (Witness witness = new Witness()) {
            for (int round = 0; round < rounds; round++) {
                alone.addAll(requests(service, SEED + 2 * round));
                long start = Ground.soon();
                long end = start + LEAD_NANOS + HOG_NANOS;
                hog.tell("work", start, end, 1, 20);
                Pause.until(start + LEAD_NANOS);
                long from = System.nanoTime();
                long[] before = ground.control().deviceNanos(slices);
                beside.addAll(requests(service, SEED + 2 * round + 1));
                long[] after = ground.control().deviceNanos(slices);
                long now = System.nanoTime();
                if (now > end) {
                    throw new IOException("the requests took longer than their neighbour's work");
                }
                available += (double) (now - from) * Runtime.getRuntime().availableProcessors();
                had[0] += after[0] - before[0];
                had[1] += after[1] - before[1];
                hog.answer();
            }
            gaps = witness.gaps(table);
        } finally {
            ground.leave(hog);
            ground.leave(service);
        }
        Map<String, Object> row =
                report(table, neighbour, latencies(alone, gaps), latencies(beside, gaps));
        row.put("service_percent", 100 * had[0] / available);
        row.put("neighbour_percent", 100 * had[1] / available);
    }

    private static List<long[]> requests(Tenant service, int seed)
            throws IOException, InterruptedException {
        List<long[]> requests = new ArrayList<>();
        for (String each : service.ask("serve", seed, REQUESTS, GAP_MICROS)) {
            String[] fields = each.split(" ", -1);
            if (fields[0].equals("request")) {
                requests.add(new long[] {Long.parseLong(fields[1]), Long.parseLong(fields[2])});
            }
        }
        return requests;
    }

    private static Map<String, Object> report(
            Table table, Neighbour neighbour, List<Double> alone, List<Double> beside) {
        double alone99 = Statistics.quantile(alone, 0.99);
        double beside99 = Statistics.quantile(beside, 0.99);
        double wanted = 1.5 * alone99 + 2;
        Map<String, Object> row = table.row();
        row.put("neighbour", neighbour.text);
        row.put("kernels", neighbour.load.text());
        row.put("alone_p50_ms", Statistics.median(alone));
        row.put("alone_p99_ms", alone99);
        row.put("requests", beside.size());
        row.put("p50_ms", Statistics.median(beside));
        row.put("p99_ms", beside99);
        row.put("wanted_ms", wanted);
        Figure.atMost(table, label(neighbour) + ": p99 of requests", beside99, wanted, " ms");
        return row;
    }

    /** In ms, of those requests for which the machine was there. */
    private static List<Double> latencies(List<long[]> requests, Gaps gaps) {
        return requests.stream()
                .filter(each -> !gaps.touch(each[0], each[1]))
                .map(each -> (each[1] - each[0]) / 1e6)
                .toList();
    }
}
