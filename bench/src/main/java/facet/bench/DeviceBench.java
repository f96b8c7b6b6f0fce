package facet.bench;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** {@code ./facet bench device}: what the software GPU does in numbers. */
public final class DeviceBench {
    private static final List<Measurement> MEASUREMENTS =
            List.of(
                    new KernelComparison(),
                    new FirstLaunch(),
                    new EmptyLaunch(),
                    new Pause(),
                    new ParserSpeed(),
                    new AccessCost());

    private DeviceBench() {}

    public static void main(String[] arguments) throws Exception {
        System.exit(run(arguments));
    }

    private static int run(String[] arguments) throws Exception {
        Options options;
        try {
            options = Options.parse(arguments, names());
        } catch (Options.UsageException e) {
            System.err.println(
                    "facet bench device: " + e.getMessage() + "\n--help shows what there is");
            return 2;
        }
        if (options.help()) {
            System.out.print(help());
            return 0;
        }
        List<Table> tables = new ArrayList<>();
        for (Measurement each : MEASUREMENTS) {
            if (isWanted(each, options)) {
                Table table = measure(each, options);
                tables.add(table);
                if (!options.json()) {
                    System.out.println(TextOutput.of(table));
                }
            }
        }
        if (options.json()) {
            System.out.println(JsonOutput.of(tables));
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

    /**
     * Names of measurements, then of kernels; a kernel's name asks for the comparison with it
     * alone.
     */
    private static Set<String> names() {
        Set<String> names = new LinkedHashSet<>();
        MEASUREMENTS.forEach(each -> names.add(each.name()));
        names.addAll(Workloads.names());
        return names;
    }

    private static boolean isWanted(Measurement measurement, Options options) {
        return options.only().isEmpty()
                || options.only().contains(measurement.name())
                || measurement instanceof KernelComparison
                        && Workloads.names().stream().anyMatch(options.only()::contains);
    }

    private static String help() {
        StringBuilder text = new StringBuilder();
        text.append(
                "usage: facet bench device [--only NAME[,NAME]] [--rounds N] [--runs N] [-o"
                        + " text|json]\n\n");
        for (Measurement each : MEASUREMENTS) {
            text.append("  %-14s %s%n".formatted(each.name(), each.about()));
        }
        text.append(
                """

                  --only NAME    these measurements, or these kernels:
                                 %s
                  --rounds N     how often facet, PoCL and gcc take turns with a kernel, default 4
                  --runs N       timed launches in a turn, default 10
                  -o json        all results as JSON

                Exit codes: 0 done, 1 a result was wrong, 2 wrong usage.
                """
                        .formatted(String.join(" ", Workloads.names())));
        return text.toString();
    }
}
