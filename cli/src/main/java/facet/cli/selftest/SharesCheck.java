package facet.cli.selftest;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Two programs that always have work get what their slices were promised, and nothing is lost. */
final class SharesCheck implements Check {
    private static final double POINTS = 2;
    private static final double TOGETHER = 0.95;

    @Override
    public String about() {
        return "shares";
    }

    @Override
    public String text() {
        return "busy slices with 70 % and 30 %";
    }

    @Override
    public List<Outcome> run(Ground ground) throws IOException, InterruptedException {
        try (Program large = ground.program("large", burst(70));
                Program small = ground.program("small", burst(30))) {
            Work.prepare(large, small);
            long part = ground.seconds() / 3;
            double alone = (Work.rate(large, part) + Work.rate(small, part)) / 2;
            long start = Ground.soon();
            long from = start + Work.SETTLE;
            long end = from + ground.seconds() * 1_000_000_000L;
            Work.begin(large, start, end + Work.SETTLE);
            Work.begin(small, start, end + Work.SETTLE);
            Ground.waitUntil(from);
            long largeBefore = large.slice().deviceNanos();
            long smallBefore = small.slice().deviceNanos();
            Ground.waitUntil(end);
            double largeTime = large.slice().deviceNanos() - largeBefore;
            double smallTime = small.slice().deviceNanos() - smallBefore;
            double together = large.answer().rate(from, end) + small.answer().rate(from, end);
            double share = 100 * largeTime / (largeTime + smallTime);
            double kept = together / alone;
            return List.of(
                    Outcome.of(
                            about(),
                            text() + ": the first had",
                            String.format(Locale.ROOT, "%.1f %%", share),
                            "68 to 72 %",
                            Math.abs(share - 70) <= POINTS),
                    Outcome.of(
                            about(),
                            "their work together, one alone = 1",
                            String.format(Locale.ROOT, "%.2f", kept),
                            "0.95 or more",
                            kept >= TOGETHER));
        }
    }

    private static Map<String, String> burst(int percent) {
        return Map.of("policy", "burst", "compute", Integer.toString(percent));
    }
}
