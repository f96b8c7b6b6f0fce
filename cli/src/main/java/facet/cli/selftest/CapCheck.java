package facet.cli.selftest;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A fixed share is the most that a slice gets, also where nobody else wants the device. */
final class CapCheck implements Check {
    private static final double POINTS = 3;

    @Override
    public String about() {
        return "cap";
    }

    @Override
    public String text() {
        return "a slice with a fixed 30 %, alone";
    }

    @Override
    public List<Outcome> run(Ground ground) throws IOException, InterruptedException {
        try (Program free = ground.program("free", Map.of("policy", "burst"));
                Program fixed =
                        ground.program("fixed", Map.of("policy", "fixed", "compute", "30"))) {
            Work.prepare(free, fixed);
            double held = Work.deviceRate(fixed, ground.seconds() / 2);
            double share = 100 * held / Work.deviceRate(free, ground.seconds() / 2);
            return List.of(
                    Outcome.of(
                            about(),
                            text() + ": its device time, of a free one's",
                            String.format(Locale.ROOT, "%.1f %%", share),
                            "27 to 33 %",
                            Math.abs(share - 30) <= POINTS));
        }
    }
}
