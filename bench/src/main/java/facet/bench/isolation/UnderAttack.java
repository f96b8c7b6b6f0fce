package facet.bench.isolation;

import facet.bench.Figure;
import facet.bench.Measurement;
import facet.bench.Options;
import facet.bench.Statistics;
import facet.bench.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * A neighbour in half of the device while the other half is hostile: what it gets done, and how
 * long its launches take, against what the same half gives it when nobody else is there.
 */
public final class UnderAttack implements Measurement {
    private static final Load LOAD = Load.MILLIS_1;
    private static final Share HALF = Share.fixed(50);
    private static final double LEAST_PART = 0.9;
    private static final double NANOS = 1e9;

    /** Of its launches alone, from before an attack to after it. */
    private static final double UNQUIET = 0.2;

    /** What the neighbour did for a while. */
    private record Pace(double launches, double p99Millis) {}

    @Override
    public String name() {
        return "neighbours";
    }

    @Override
    public String about() {
        return "a neighbour with a hard half of the device, alone and beside each attack from the"
                + " other half";
    }

    @Override
    public Set<String> parts() {
        Set<String> parts = new LinkedHashSet<>(Attack.names());
        for (Isolation each : Isolation.values()) {
            parts.add(each.word());
        }
        return parts;
    }

    @Override
    public Table measure(Options options) throws Exception {
        Table table =
                new Table(name(), about())
                        .column("attack", "attack")
                        .column("isolation", "isolation")
                        .column("alone_per_second", "alone/s")
                        .column("per_second", "launches/s")
                        .column("first_part", "at first")
                        .column("part", "part")
                        .column("alone_p99_ms", "alone p99 ms")
                        .column("p99_ms", "p99 ms")
                        .column("attacker_cores", "its cores")
                        .column("holds", "holds");
        List<Attack> attacks = chosen(Attack.ALL, Attack::name, options);
        for (Isolation each : chosen(List.of(Isolation.values()), Isolation::word, options)) {
            measure(table, each, attacks, options.quick());
        }
        return table;
    }

    /** All of a kind when none of that kind is named. */
    static <T> List<T> chosen(List<T> all, Function<T, String> name, Options options) {
        List<T> named =
                all.stream().filter(each -> options.only().contains(name.apply(each))).toList();
        return named.isEmpty() ? all : named;
    }

    private static void measure(
            Table table, Isolation isolation, List<Attack> attacks, boolean quick)
            throws IOException, InterruptedException {
        List<Attack> left = new ArrayList<>(attacks);
        // Another daemon where an attack has broken one.
        while (!left.isEmpty()) {
            try (Ground ground = new Ground(isolation.options())) {
                ground.calibrate(List.of(LOAD));
                Tenant neighbour = ground.tenant("neighbour", HALF, LOAD);
                pace(neighbour, quick);
                while (!left.isEmpty()) {
                    Attack attack = left.removeFirst();
                    System.err.println(attack.name() + ", isolation " + isolation.word());
                    Map<String, Object> row = table.row();
                    row.put("attack", attack.text());
                    row.put("isolation", isolation.word());
                    try {
                        beside(table, row, ground, neighbour, attack, quick);
                    } catch (IOException e) {
                        row.put("holds", "no: " + e.getMessage());
                        table.fail(attack.name() + ": " + e.getMessage());
                        break;
                    }
                }
            }
        }
    }

    private static void beside(
            Table table,
            Map<String, Object> row,
            Ground ground,
            Tenant neighbour,
            Attack attack,
            boolean quick)
            throws IOException, InterruptedException {
        Pace before = pace(neighbour, quick);
        Pace first;
        Pace beside;
        double cores;
        try (Attacker attacker = ground.attacker(attack, HALF)) {
            attacker.awaitBegun();
            // JVMs compile what changes of hands run, and another worker gets warm for the next
            // slice: what a new slice costs is told, and not taken for what the attack costs.
            first = pace(neighbour, quick);
            long start = System.nanoTime();
            long used = attacker.processorNanos();
            beside = pace(neighbour, quick);
            cores = (attacker.processorNanos() - used) / (double) (System.nanoTime() - start);
        }
        ground.awaitGone("attacker");
        Pace after = pace(neighbour, quick);
        double alone = (before.launches + after.launches) / 2;
        double aloneP99 = Math.max(before.p99Millis, after.p99Millis);
        double part = beside.launches / alone;
        double firstPart = first.launches / alone;
        if (Math.abs(before.launches - after.launches) > UNQUIET * alone) {
            table.note(
                    "the machine was not quiet: before and after "
                            + attack.name()
                            + " the neighbour alone differed by more than a fifth");
        }
        boolean holds = part >= LEAST_PART && beside.p99Millis <= most(aloneP99);
        row.put("alone_per_second", alone);
        row.put("per_second", beside.launches);
        row.put("first_part", firstPart);
        row.put("part", part);
        row.put("alone_p99_ms", aloneP99);
        row.put("p99_ms", beside.p99Millis);
        row.put("attacker_cores", cores);
        row.put("holds", holds ? "yes" : "no");
        System.err.printf(
                Locale.ROOT,
                "  %.3f of its launches, %.3f at first, p99 %.1f ms, alone %.1f ms%n",
                part,
                firstPart,
                beside.p99Millis,
                aloneP99);
        String what = attack.name() + ", isolation " + row.get("isolation");
        Figure.atLeast(table, what + ": part of its launches", part, LEAST_PART, "");
        Figure.atMost(table, what + ": p99", beside.p99Millis, most(aloneP99), " ms");
    }

    private static double most(double aloneMillis) {
        return 2 * aloneMillis + 2;
    }

    private static Pace pace(Tenant neighbour, boolean quick)
            throws IOException, InterruptedException {
        long start = Ground.soon();
        long end = start + (quick ? 1_500_000_000L : 4_000_000_000L);
        List<Double> millis = new ArrayList<>();
        for (String each : neighbour.ask("repeat", start, end)) {
            String[] fields = each.split(" ", -1);
            millis.add((Long.parseLong(fields[2]) - Long.parseLong(fields[1])) / 1e6);
        }
        if (millis.isEmpty()) {
            throw new IOException("the neighbour had no launch at all");
        }
        return new Pace(millis.size() / ((end - start) / NANOS), Statistics.quantile(millis, 0.99));
    }
}
