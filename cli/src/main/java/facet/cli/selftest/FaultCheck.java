package facet.cli.selftest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** A program that writes where it has no memory is stopped, and its neighbour goes on. */
final class FaultCheck implements Check {
    @Override
    public String about() {
        return "faults";
    }

    @Override
    public String text() {
        return "a program that writes to an illegal address";
    }

    @Override
    public List<Outcome> run(Ground ground) throws IOException, InterruptedException {
        try (Program neighbour = ground.program("neighbour", Map.of());
                Slice slice = ground.slice("intruder", Map.of())) {
            Work.prepare(neighbour);
            long start = Ground.soon();
            Work.begin(neighbour, start, start + 2_000_000_000L);
            Process intruder =
                    slice.command("demo/intruder", slice.path("demo/kernels.ptx"))
                            .redirectErrorStream(true)
                            .start();
            String printed =
                    new String(intruder.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                            .strip();
            boolean stopped = intruder.waitFor() == 0;
            double blocks = neighbour.answer().rate(start, Long.MAX_VALUE);
            return List.of(
                    Outcome.of(
                            about(),
                            text(),
                            stopped ? "stopped with error 700" : printed,
                            "error 700",
                            stopped),
                    Outcome.of(
                            about(),
                            "its neighbour meanwhile",
                            Math.round(blocks) + " blocks a second",
                            "goes on",
                            blocks > 0));
        }
    }
}
