package facet.bench;

import facet.bench.containers.ContainerShares;
import facet.bench.containers.ContainerStarts;
import facet.bench.direct.DirectAlone;
import facet.bench.direct.DirectCalls;
import facet.bench.direct.DirectChanges;
import facet.bench.direct.DirectPriority;
import facet.bench.direct.DirectShares;
import facet.bench.isolation.AloneCost;
import facet.bench.isolation.BurstChanges;
import facet.bench.isolation.DeviceBusy;
import facet.bench.isolation.ManySlices;
import facet.bench.isolation.Newcomer;
import facet.bench.isolation.PriorityLatency;
import facet.bench.isolation.SharesHold;
import facet.bench.isolation.UnderAttack;
import facet.bench.place.Allocation;
import facet.bench.place.Decisions;
import facet.bench.place.Sensitivity;
import facet.bench.place.Shapes;
import facet.bench.place.Speed;
import facet.bench.place.WaitingTimes;
import facet.bench.pool.Copies;
import facet.bench.pool.Cuts;
import facet.bench.pool.Launches;
import facet.bench.pool.Loop;
import facet.bench.pool.SecondStart;
import facet.bench.pool.SlowRoad;
import facet.bench.soak.PoolSoak;
import facet.bench.soak.Soak;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * {@code ./facet bench SUITE}. {@code device}: what the software GPU does in numbers. {@code path}:
 * what calls cost a program that runs on Facet. {@code isolation}: whether slices get what they
 * were promised. {@code dashboard}: what the dashboard costs the daemon and the browser. {@code
 * containers}: what a slice costs a container when it starts, and whether it gets its share. {@code
 * package}: how fast the packaged daemon starts. {@code neighbours}: what a slice keeps while
 * another one is hostile. {@code newcomer}: how soon a program that begins is as fast as it gets.
 * {@code pool}: what it costs that a device is in another machine. {@code place}: how much of a
 * cluster placing puts to use, and what a decision costs. {@code forwarded-vendor}: what calls cost
 * on a vendor's device, beside the driver itself. {@code rewrite}: what it costs kernels that their
 * launches can be parted. {@code soak}: whether a daemon grows while programs come and go. {@code
 * --check}: all that is promised, and which of it holds.
 */
public final class Bench {
    private static final Map<String, List<Measurement>> SUITES =
            Map.ofEntries(
                    Map.entry(
                            "device",
                            List.of(
                                    new KernelComparison(),
                                    new KindComparison(),
                                    new FirstLaunch(),
                                    new EmptyLaunch(),
                                    new Pause(),
                                    new ParserSpeed(),
                                    new AccessCost())),
                    Map.entry("path", List.of(new Calls(), new Starts(), new IdleDaemon())),
                    Map.entry("package", List.of(new ColdStart())),
                    Map.entry(
                            "isolation",
                            List.of(
                                    new SharesHold(),
                                    new DeviceBusy(),
                                    new AloneCost(),
                                    new PriorityLatency(),
                                    new BurstChanges(),
                                    new ManySlices(),
                                    new Escapes())),
                    Map.entry(
                            "direct",
                            List.of(
                                    new DirectCalls(),
                                    new DirectAlone(),
                                    new DirectShares(),
                                    new DirectPriority(),
                                    new DirectChanges())),
                    Map.entry("dashboard", List.of(new DashboardCost())),
                    Map.entry("forwarded-vendor", List.of(new ForwardedVendor())),
                    Map.entry("containers", List.of(new ContainerStarts(), new ContainerShares())),
                    Map.entry("neighbours", List.of(new UnderAttack())),
                    Map.entry("newcomer", List.of(new Newcomer())),
                    Map.entry(
                            "place",
                            List.of(
                                    new Allocation(),
                                    new Speed(),
                                    new Decisions(),
                                    new WaitingTimes(),
                                    new Shapes(),
                                    new Sensitivity())),
                    Map.entry(
                            "pool",
                            List.of(
                                    new Launches(),
                                    new Loop(),
                                    new Copies(),
                                    new SecondStart(),
                                    new SlowRoad(),
                                    new Cuts(),
                                    new PoolSoak())),
                    Map.entry("rewrite", List.of(new RewriteCost())),
                    Map.entry("soak", List.of(new Soak())));

    /**
     * What measures promises, the longest last; soak and package take machines of their own, place
     * needs traces, and rewriting is not used by slices.
     */
    private static final List<String> CHECKED =
            List.of(
                    "device",
                    "path",
                    "containers",
                    "newcomer",
                    "isolation",
                    "neighbours",
                    "dashboard");

    private final String suite;
    private final List<Measurement> measurements;

    private Bench(String suite, List<Measurement> measurements) {
        this.suite = suite;
        this.measurements = measurements;
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0 && arguments[0].equals("--check")) {
            List<Measurement> all = CHECKED.stream().flatMap(each -> suite(each).stream()).toList();
            String[] rest = Arrays.copyOfRange(arguments, 1, arguments.length);
            System.exit(new Bench("--check", all).run(rest));
        }
        String suite = arguments.length == 0 ? "device" : arguments[0];
        List<Measurement> measurements = SUITES.get(suite);
        if (measurements == null) {
            System.err.println(
                    "facet bench: there is no "
                            + suite
                            + "; there are "
                            + String.join(", ", new java.util.TreeSet<>(SUITES.keySet())));
            System.exit(2);
        } else {
            String[] rest =
                    Arrays.copyOfRange(arguments, Math.min(1, arguments.length), arguments.length);
            System.exit(new Bench(suite, measurements).run(rest));
        }
    }

    private static List<Measurement> suite(String name) {
        return Objects.requireNonNull(SUITES.get(name));
    }

    private int run(String[] arguments) throws Exception {
        Options options;
        try {
            options = Options.parse(arguments, names());
        } catch (Options.UsageException e) {
            System.err.println(
                    "facet bench "
                            + suite
                            + ": "
                            + e.getMessage()
                            + "\n--help shows what there is");
            return 2;
        }
        if (options.help()) {
            System.out.print(help());
            return 0;
        }
        List<Table> tables = new ArrayList<>();
        for (Measurement each : measurements) {
            if (isWanted(each, options)) {
                System.err.println(each.name());
                Table table = measure(each, options);
                tables.add(table);
                if (!options.json()) {
                    System.out.println(TextOutput.of(table));
                }
            }
        }
        if (options.json()) {
            System.out.println(JsonOutput.of(tables));
        } else if (suite.equals("--check")) {
            System.out.print(Promises.text(tables));
        }
        return tables.stream().allMatch(each -> each.failures().isEmpty()) ? 0 : 1;
    }

    /** What goes wrong in one measurement must not lose the others. */
    private static Table measure(Measurement measurement, Options options)
            throws InterruptedException {
        try {
            return measurement.measure(options);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            Table table = new Table(measurement.name(), measurement.about());
            table.fail(e.toString());
            return table;
        }
    }

    /** Names of measurements, then of their parts. */
    private Set<String> names() {
        Set<String> names = new LinkedHashSet<>();
        measurements.forEach(each -> names.add(each.name()));
        measurements.forEach(each -> names.addAll(each.parts()));
        return names;
    }

    private static boolean isWanted(Measurement measurement, Options options) {
        return options.only().isEmpty()
                || options.only().contains(measurement.name())
                || measurement.parts().stream().anyMatch(options.only()::contains);
    }

    private String help() {
        StringBuilder text = new StringBuilder();
        text.append(
                "usage: facet bench "
                        + suite
                        + " [--only NAME[,NAME]] [--rounds N] [--runs N]"
                        + " [--minutes N] [--history N] [--isolation KIND] [--traces DIR]"
                        + " [--quick]"
                        + " [-o text|json]\n\n");
        for (Measurement each : measurements) {
            text.append("  %-14s %s%n".formatted(each.name(), each.about()));
        }
        Set<String> parts = new LinkedHashSet<>();
        measurements.forEach(each -> parts.addAll(each.parts()));
        text.append(
                """

                  --only NAME    these measurements, or these parts of them:
                                 %s
                  --rounds N     device: how often facet, PoCL and gcc take turns, default 4;
                                 path: how often programs are started, default 4 times 5;
                                 isolation: turns with sharing and without, default 4 times 8;
                                 containers: how often each kind is started, default 4 times 5;
                                 newcomer: new programs of each kind, default 4;
                                 rewrite: how often the forms take turns, default 4
                  --runs N       device, rewrite: timed launches in a turn, default 10
                  --minutes N    dashboard: how long its page is open, default 10;
                                 soak, pool's soak: how long programs come and go, default 10
                  --history N    dashboard: minutes that the daemon runs before, default 60
                  --isolation KIND
                                 path, isolation: what executes slices' programs, process or
                                 shared; default: what a daemon does by itself
                  --traces DIR   place: the folder with openb_v2023 and fgd_expected, default
                                 ../shared/data
                  --quick        isolation, dashboard, containers, neighbours, newcomer, pool, soak:
                                 short durations, for trying; place: the default trace, two seeds
                  -o json        all results as JSON

                Exit codes: 0 done, 1 a result was wrong or a figure was missed, 2 wrong usage.
                """
                        .formatted(parts.isEmpty() ? "(none)" : String.join(" ", parts)));
        return text.toString();
    }
}
