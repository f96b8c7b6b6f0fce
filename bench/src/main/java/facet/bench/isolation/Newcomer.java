package facet.bench.isolation;

import facet.bench.Figure;
import facet.bench.Measurement;
import facet.bench.Options;
import facet.bench.Places;
import facet.bench.Statistics;
import facet.bench.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * A program that begins: how soon it has its first result and how soon it is as fast as it gets,
 * when nobody on this daemon has had its code before and when it is started again.
 */
public final class Newcomer implements Measurement {
    private static final Load BUSY = Load.MILLIS_10;
    private static final int OTHERS = 2;
    private static final Share THIRD = Share.burst(33);
    private static final double MOST_MILLIS = 300;

    /** It did not settle for less; other work on the machine makes more difference than that. */
    private static final double LEAST_PART = 0.75;

    private static final String SLICE = "newcomer";

    /** Who else is there. */
    private enum Company {
        ALONE,
        BESIDE;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Which slice the program has. */
    private enum Way {
        /** Each start one of its own: {@code facet run --memory}. */
        OWN,
        /** One that stays: {@code facet run --slice}. */
        KEPT;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Starts of the same program, one after the other. */
    private record Pair(List<Beginning> first, List<Beginning> second) {
        Pair() {
            this(new ArrayList<>(), new ArrayList<>());
        }
    }

    private record Case(Isolation isolation, Way way, Company company) {
        String text() {
            return isolation.word() + ", " + way.word() + " slice, " + company.word();
        }
    }

    @Override
    public String name() {
        return "newcomer";
    }

    @Override
    public String about() {
        return "a program that begins, alone and beside two busy slices: first result, its speed in"
                + " each of the first seconds as a part of its last, its share of the device";
    }

    @Override
    public Set<String> parts() {
        Set<String> parts = new LinkedHashSet<>();
        Stream.of(Isolation.values()).forEach(each -> parts.add(each.word()));
        Stream.of(Way.values()).forEach(each -> parts.add(each.word()));
        Stream.of(Company.values()).forEach(each -> parts.add(each.word()));
        return parts;
    }

    @Override
    public Table measure(Options options) throws Exception {
        Table table =
                new Table(name(), about())
                        .column("isolation", "isolation")
                        .column("slice", "slice")
                        .column("company", "company")
                        .column("start", "start")
                        .column("first_result_ms", "first result ms")
                        .column("settled_ms", "90 % after ms");
        for (int i = 1; i <= Beginning.SECONDS; i++) {
            table.column("part_" + i, "second " + i).column("share_" + i + "_percent", "share %");
        }
        table.column("steady_per_second", "steps/s");
        List<Way> ways = UnderAttack.chosen(List.of(Way.values()), Way::word, options);
        List<Company> companies =
                UnderAttack.chosen(List.of(Company.values()), Company::word, options);
        for (Isolation isolation :
                UnderAttack.chosen(List.of(Isolation.values()), Isolation::word, options)) {
            Map<Case, Pair> found = new LinkedHashMap<>();
            try (Ground ground = new Ground(isolation.options())) {
                ground.calibrate(List.of(BUSY));
                List<Tenant> busy = new ArrayList<>();
                for (int i = 0; i < OTHERS; i++) {
                    busy.add(ground.tenant("busy-" + i, THIRD, BUSY));
                }
                for (int round = 0; round < (options.quick() ? 1 : options.rounds()); round++) {
                    for (Way way : ways) {
                        for (Company company : companies) {
                            Case each = new Case(isolation, way, company);
                            Pair pair = found.computeIfAbsent(each, key -> new Pair());
                            measure(ground, each, busy, options.quick(), pair);
                        }
                    }
                }
            }
            found.forEach((key, pair) -> rows(table, key, pair));
        }
        return table;
    }

    private static void measure(Ground ground, Case of, List<Tenant> busy, boolean quick, Pair pair)
            throws IOException, InterruptedException {
        Path kernels = unknown(ground.directory());
        boolean kept = of.way() == Way.KEPT;
        List<String> options =
                kept
                        ? List.of("--slice", SLICE)
                        : List.of(
                                "--name",
                                SLICE,
                                "--memory",
                                "256MiB",
                                "--policy",
                                "burst",
                                "--compute",
                                "33");
        if (kept) {
            Map<String, String> wanted = new LinkedHashMap<>(THIRD.arguments());
            wanted.put("name", SLICE);
            wanted.put("memory", "256MiB");
            ground.control().ask("slice-create", wanted);
        }
        long first = quick ? 9_000 : 15_000;
        long second = 8_000;
        pair.first().add(start(ground, of, options, kernels, first, busy));
        pair.second().add(start(ground, of, options, kernels, second, busy));
        if (kept) {
            ground.control().ask("slice-delete", Map.of("name", SLICE, "force", "true"));
            ground.awaitGone(SLICE);
        }
    }

    private static Beginning start(
            Ground ground,
            Case of,
            List<String> options,
            Path kernels,
            long millis,
            List<Tenant> busy)
            throws IOException, InterruptedException {
        boolean beside = of.company() == Company.BESIDE;
        long begin = Ground.soon();
        long settled = begin + 500_000_000;
        if (beside) {
            for (Tenant each : busy) {
                // A second longer: the program's last seconds are to be as its first ones.
                each.tell(
                        "work",
                        begin,
                        settled + (millis + 1_000) * 1_000_000,
                        BUSY.kernels(50),
                        1_000);
            }
        }
        Pause.until(settled);
        Beginning found =
                Beginning.watch(
                        ground,
                        SLICE,
                        options,
                        kernels,
                        millis,
                        beside ? busy.stream().map(Tenant::slice).toList() : List.of());
        if (beside) {
            for (Tenant each : busy) {
                each.answer();
            }
        }
        if (of.way() == Way.OWN) {
            ground.awaitGone(SLICE);
        }
        System.err.printf(
                Locale.ROOT,
                "  %s: first result %.0f ms, 90 %% after %.0f ms, %.0f steps/s%n",
                of.text(),
                found.firstResultMillis(),
                found.settledMillis(),
                found.steady());
        return found;
    }

    /** The kernels with a text that nobody has had before: a comment in it is another one. */
    private static Path unknown(Path directory) throws IOException {
        Path folder = Files.createTempDirectory(directory, "kernels");
        try (Stream<Path> files = Files.list(Places.inRepository("bench/kernels"))) {
            for (Path each : files.filter(file -> file.toString().endsWith(".ptx")).toList()) {
                Files.writeString(
                        folder.resolve(each.getFileName()),
                        "// " + folder.getFileName() + "\n" + Files.readString(each));
            }
        }
        return folder;
    }

    private static void rows(Table table, Case of, Pair pair) {
        row(table, of, "first", pair.first());
        row(table, of, "second", pair.second());
        String what = "second start (" + of.text() + ")";
        double settled = median(pair.second(), Beginning::settledMillis);
        Figure.atMost(table, what + ": 90 % of its speed after", settled, MOST_MILLIS, " ms");
        double faster =
                median(pair.second(), Beginning::steady) / median(pair.first(), Beginning::steady);
        Figure.atLeast(
                table, what + ": its speed against that of the first", faster, LEAST_PART, "");
    }

    private static void row(Table table, Case of, String start, List<Beginning> found) {
        Map<String, Object> row = table.row();
        row.put("isolation", of.isolation().word());
        row.put("slice", of.way().word());
        row.put("company", of.company().word());
        row.put("start", start);
        row.put("first_result_ms", median(found, Beginning::firstResultMillis));
        row.put("settled_ms", median(found, Beginning::settledMillis));
        for (int i = 0; i < Beginning.SECONDS; i++) {
            int second = i;
            row.put("part_" + (i + 1), median(found, each -> each.part(second)));
            row.put("share_" + (i + 1) + "_percent", median(found, each -> each.shares()[second]));
        }
        row.put("steady_per_second", median(found, Beginning::steady));
    }

    private static double median(List<Beginning> found, ToDoubleFunction<Beginning> value) {
        return Statistics.median(found.stream().map(value::applyAsDouble).toList());
    }
}
