package facet.bench.isolation;

import facet.bench.PrivateDaemon;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A daemon of its own, and a program for each load in a slice without terms, which tells how fast
 * that is when nothing else runs.
 */
final class Ground implements AutoCloseable {
    private static final long LEAD_NANOS = 100_000_000;
    private static final long PATIENCE_NANOS = 20_000_000_000L;
    private static final long SETTLE_NANOS = 200_000_000;

    /** Kernels of this length make a program's code warm, whatever it runs then. */
    private static final Load WARMING = Load.MILLIS_1;

    private static final long WARMING_NANOS = 1_000_000_000;

    /** A process of its own compiles for some ten seconds. */
    private static final int LEAST_WARMINGS = 8;

    private static final int MOST_WARMINGS = 20;

    /** A program is warm when it has not become faster by this much, twice. */
    private static final double FASTER = 1.02;

    private final PrivateDaemon daemon;
    private final Control control;
    private final Map<Load, Integer> rounds = new EnumMap<>(Load.class);
    private final Map<Load, Tenant> alone = new EnumMap<>(Load.class);
    private final List<Tenant> tenants = new ArrayList<>();

    /**
     * @param options of the daemon
     */
    Ground(String... options) throws IOException, InterruptedException {
        daemon = new PrivateDaemon();
        try {
            daemon.up(options);
            control = new Control(daemon.directory());
        } catch (IOException | InterruptedException | RuntimeException e) {
            daemon.close();
            throw e;
        }
    }

    /** Warms the device up and finds out how many rounds make the kernels as long as they say. */
    void calibrate(List<Load> loads) throws IOException, InterruptedException {
        Tenant tenant = tenant("calibration", Share.REST);
        tenant.ask("calibrate", WARMING.blocks(), WARMING.micros());
        calibrate(tenant, WARMING);
        for (Load load : loads) {
            calibrate(tenant, load);
        }
        leave(tenant);
    }

    private void calibrate(Tenant tenant, Load load) throws IOException, InterruptedException {
        List<String> answer = tenant.ask("calibrate", load.blocks(), load.micros());
        rounds.put(load, Integer.parseInt(answer.getFirst().replaceAll("\\D", "")));
    }

    /** Kernels as another daemon's programs have them; warms the device up all the same. */
    void calibrateLike(Ground other) throws IOException, InterruptedException {
        calibrate(List.copyOf(other.rounds.keySet()));
        rounds.putAll(other.rounds);
    }

    Control control() {
        return control;
    }

    /** Of the daemon; it goes with it. */
    Path directory() {
        return daemon.directory();
    }

    long daemonPid() throws IOException, InterruptedException {
        return daemon.pid();
    }

    Tenant tenant(String name, Share share) throws IOException, InterruptedException {
        Tenant tenant = Tenant.start(daemon.directory(), name, share);
        tenants.add(tenant);
        tenant.answer();
        return tenant;
    }

    /** One that is warm: before it has its share it computes alone until its code is compiled. */
    Tenant tenant(String name, Share share, Load load) throws IOException, InterruptedException {
        Tenant tenant = tenant(name, Share.REST);
        warm(tenant);
        tenant.change(share);
        use(tenant, load);
        return tenant;
    }

    private void warm(Tenant tenant) throws IOException, InterruptedException {
        use(tenant, WARMING);
        double best = 0;
        int same = 0;
        for (int i = 0; i < MOST_WARMINGS && (same < 2 || i < LEAST_WARMINGS); i++) {
            double rate = rate(tenant, WARMING, WARMING_NANOS);
            same = rate > FASTER * best ? 0 : same + 1;
            best = Math.max(best, rate);
        }
    }

    void use(Tenant tenant, Load load) throws IOException, InterruptedException {
        Integer count = rounds.get(load);
        if (count == null) {
            throw new IllegalStateException(load + " is not calibrated");
        }
        tenant.ask("use", load.blocks(), count);
    }

    Attacker attacker(Attack attack, Share share) throws IOException {
        String url = control.ask("status", Map.of()).path("http").asText();
        return new Attacker(daemon.directory(), attack, share, URI.create(url).getPort());
    }

    /** Returns when its slice is gone, and what that was promised is free again. */
    void leave(Tenant tenant) throws IOException, InterruptedException {
        if (tenants.remove(tenant)) {
            tenant.close();
            awaitGone(tenant.slice());
        }
    }

    void awaitGone(String slice) throws IOException, InterruptedException {
        long patience = System.nanoTime() + PATIENCE_NANOS;
        while (control.has(slice)) {
            if (System.nanoTime() > patience) {
                throw new IOException("the slice " + slice + " does not end");
            }
            Thread.sleep(10);
        }
    }

    /** When programs that are told now can all begin. */
    static long soon() {
        return System.nanoTime() + LEAD_NANOS;
    }

    /** Blocks a second of a load that has the device to itself. */
    double aloneRate(Load load, long nanos) throws IOException, InterruptedException {
        return alone(load, nanos).rate(Gaps.none());
    }

    /** What a load does that has the device to itself, for so long. */
    Stretch alone(Load load, long nanos) throws IOException, InterruptedException {
        Tenant tenant = alone.get(load);
        if (tenant == null) {
            tenant = tenant("alone-" + alone.size(), Share.REST, load);
            alone.put(load, tenant);
        }
        return work(tenant, load, nanos);
    }

    /** Blocks a second of a tenant that works alone, for so long. */
    static double rate(Tenant tenant, Load load, long nanos)
            throws IOException, InterruptedException {
        return work(tenant, load, nanos).rate(Gaps.none());
    }

    private static Stretch work(Tenant tenant, Load load, long nanos)
            throws IOException, InterruptedException {
        long start = soon() + SETTLE_NANOS;
        List<String> lines =
                tenant.ask("work", start - SETTLE_NANOS, start + nanos, load.kernels(50), 5);
        return new Stretch(Progress.parse(lines), start, start + nanos);
    }

    @Override
    public void close() throws IOException {
        try (daemon;
                control) {
            for (Tenant each : tenants) {
                each.close();
            }
        }
    }
}
