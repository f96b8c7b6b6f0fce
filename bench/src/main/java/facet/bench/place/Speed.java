package facet.bench.place;

import facet.bench.Figure;
import facet.bench.Measurement;
import facet.bench.Options;
import facet.bench.Table;
import facet.place.Cluster;
import facet.place.Node;
import facet.place.Placer;
import facet.place.Policies;
import facet.place.Policy;
import facet.place.Request;
import facet.sim.Trace;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** What a decision costs on one core, with the trace's nodes and with ten thousand. */
public final class Speed implements Measurement {
    private static final int MANY = 10_000;
    private static final int ROUNDS = 5;

    @Override
    public String name() {
        return "speed";
    }

    @Override
    public String about() {
        return "placements in a second of a core, and how long one takes";
    }

    @Override
    public Table measure(Options options) throws Exception {
        Trace trace = OpenTraces.read(options.traces(), OpenTraces.DEFAULT);
        Table table =
                new Table(name(), about())
                        .column("policy", "policy")
                        .column("nodes", "nodes")
                        .column("per_second", "a second")
                        .column("p50_us", "p50 µs")
                        .column("p99_us", "p99 µs")
                        .column("slowest_us", "slowest µs");
        for (String each : List.of(Policies.OURS, "fgd", "best-fit")) {
            row(table, trace, Policies.named(each), trace.nodes(), 1);
            row(table, trace, Policies.named(each), many(trace), 3);
        }
        return table;
    }

    private static List<Node> many(Trace trace) {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            nodes.add(trace.nodes().get(i % trace.nodes().size()));
        }
        return nodes;
    }

    /** Requests as they are in the trace until nothing fits any more, several times. */
    private static void row(
            Table table, Trace trace, Policy policy, List<Node> nodes, double p99Millis) {
        List<Request> requests = trace.requests();
        int count = (int) (1.3 * requests.size() * nodes.size() / trace.nodes().size());
        long[] nanos = new long[count];
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long total = 0;
        for (int round = 0; round < ROUNDS; round++) {
            // The last round is measured; the others are for the compiler.
            SplittableRandom random = new SplittableRandom(round);
            Placer placer = new Placer(new Cluster(nodes, trace.models()), policy, requests, round);
            // What this thread had of a core: other work on the machine does not count.
            long before = threads.getCurrentThreadCpuTime();
            for (int i = 0; i < count; i++) {
                Request request = requests.get(random.nextInt(requests.size()));
                long start = System.nanoTime();
                placer.place(request);
                nanos[i] = System.nanoTime() - start;
            }
            total = threads.getCurrentThreadCpuTime() - before;
        }
        Arrays.sort(nanos);
        double perSecond = count * 1e9 / total;
        double p99 = nanos[(int) (count * 0.99)] / 1e3;
        Map<String, Object> row = table.row();
        row.put("policy", policy.name());
        row.put("nodes", nodes.size());
        row.put("per_second", perSecond);
        row.put("p50_us", nanos[count / 2] / 1e3);
        row.put("p99_us", p99);
        row.put("slowest_us", nanos[count - 1] / 1e3);
        if (policy.name().equals(Policies.OURS)) {
            String what = policy.name() + " on " + nodes.size() + " nodes";
            if (nodes.size() < MANY) {
                Figure.atLeast(table, what, perSecond, 20_000, " a second");
            }
            Figure.atMost(table, what + ", p99", p99 / 1e3, p99Millis, " ms");
        }
    }
}
