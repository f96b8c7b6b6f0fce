package facet.cli.selftest;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What the engines cost beside each other, where programs can have both. Nothing is promised. */
final class EngineComparison implements Check {
    @Override
    public String about() {
        return "engines";
    }

    @Override
    public String text() {
        return "the same by each engine";
    }

    /** Of one engine. */
    private record Found(double launch, double waited, double rate, double alone, double beside) {}

    @Override
    public List<Outcome> run(Ground ground) throws IOException, InterruptedException {
        List<String> engines = ground.engines();
        if (engines.size() == 1) {
            return List.of(
                    Outcome.told(
                            about(),
                            text(),
                            "there is "
                                    + engines.getFirst()
                                    + " alone: software GPUs have no vendor's driver"));
        }
        Map<String, Found> found = new LinkedHashMap<>();
        for (String each : engines) {
            found.put(each, measure(ground, each));
        }
        Found forwarded = found.getOrDefault(Ground.FORWARDED, new Found(0, 0, 0, 0, 0));
        List<Outcome> outcomes = new ArrayList<>();
        found.forEach((engine, one) -> outcomes.addAll(told(engine, one, forwarded)));
        return outcomes;
    }

    private static Found measure(Ground ground, String engine)
            throws IOException, InterruptedException {
        double launch;
        double wait;
        double rate;
        try (Program program = ground.program("engine-" + engine, Map.of(Ground.ENGINE, engine))) {
            program.ask("calls");
            Answer calls = program.ask("calls");
            launch = calls.number("launch");
            wait = calls.number("wait");
            Work.prepare(program);
            rate = Work.rate(program, Math.max(1, ground.seconds() / 4));
        }
        PriorityCheck.Latencies latencies = PriorityCheck.measure(ground, engine);
        return new Found(
                launch,
                wait,
                rate,
                latencies.alone().latency(0.99),
                latencies.beside().latency(0.99));
    }

    private List<Outcome> told(String engine, Found found, Found forwarded) {
        return List.of(
                Outcome.told(
                        about(),
                        engine + ": to launch a kernel, to launch one and wait",
                        CallsCheck.micros(found.launch())
                                + ", "
                                + CallsCheck.micros(found.waited())),
                Outcome.told(
                        about(),
                        engine + ": work alone, beside forwarded",
                        String.format(Locale.ROOT, "%.2f", found.rate() / forwarded.rate())),
                Outcome.told(
                        about(),
                        engine + ": 99 of 100 requests alone, beside kernels of 50 ms",
                        PriorityCheck.millis(found.alone())
                                + ", "
                                + PriorityCheck.millis(found.beside())));
    }
}
