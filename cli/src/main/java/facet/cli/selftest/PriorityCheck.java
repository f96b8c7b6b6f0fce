package facet.cli.selftest;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A service of high priority does not wait for a program with long kernels. */
final class PriorityCheck implements Check {
    private static final int KERNEL_MICROS = 50_000;
    private static final int REQUESTS = 200;
    private static final int GAP_MICROS = 5000;
    private static final long LEAD = 300_000_000;
    private static final long LONG = 3_600_000_000_000L;
    private static final int SEED = 7;

    @Override
    public String about() {
        return "priority";
    }

    @Override
    public String text() {
        return "requests of 1 ms beside kernels of 50 ms";
    }

    /**
     * How long requests take, in milliseconds.
     *
     * @param alone without anybody else
     * @param beside with kernels of another slice
     */
    record Latencies(Answer alone, Answer beside) {}

    static Latencies measure(Ground ground, String engine)
            throws IOException, InterruptedException {
        try (Program service = program(ground, "service", "10", engine);
                Program other = program(ground, "other", "0", engine)) {
            Work.prepare(service);
            other.ask("calibrate", Work.BLOCKS, KERNEL_MICROS);
            Answer alone = service.ask("serve", SEED, REQUESTS, GAP_MICROS);
            long start = Ground.soon();
            // It is ended when the requests are through.
            Work.begin(other, start, start + LONG);
            Ground.waitUntil(start + LEAD);
            return new Latencies(alone, service.ask("serve", SEED + 1, REQUESTS, GAP_MICROS));
        }
    }

    private static Program program(Ground ground, String name, String priority, String engine)
            throws IOException, InterruptedException {
        return ground.program(
                name, Map.of("policy", "priority", "priority", priority, Ground.ENGINE, engine));
    }

    @Override
    public List<Outcome> run(Ground ground) throws IOException, InterruptedException {
        Latencies found = measure(ground, Ground.FORWARDED);
        double wanted = 1.5 * found.alone().latency(0.99) + 5;
        double slow = found.beside().latency(0.99);
        return List.of(
                Outcome.told(
                        about(),
                        "requests of 1 ms, alone: 50 and 99 of 100 within",
                        millis(found.alone().latency(0.5))
                                + ", "
                                + millis(found.alone().latency(0.99))),
                Outcome.told(
                        about(),
                        "beside kernels of 50 ms: 50 of 100 within",
                        millis(found.beside().latency(0.5))),
                Outcome.of(
                        about(),
                        "beside kernels of 50 ms: 99 of 100 within",
                        millis(slow),
                        millis(wanted) + " or less",
                        slow <= wanted));
    }

    static String millis(double value) {
        return String.format(Locale.ROOT, "%.1f ms", value);
    }
}
