package facet.bench.isolation;

import facet.bench.Places;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * One start of {@code bench/newcomer/newcomer.c} by {@code facet-run}: when it had which of its
 * steps, and what its slice had of the device.
 *
 * @param started when it was executed; times are those of {@link System#nanoTime}
 * @param opened when it had loaded its modules
 * @param steps when each had ended
 * @param shares percent of the device time of all, in each of the first seconds
 */
record Beginning(long started, long opened, long[] steps, double[] shares) {
    static final int SECONDS = 5;

    private static final long SECOND = 1_000_000_000L;

    /** Long enough for several turns of three slices, short enough to see when it changes. */
    private static final long WINDOW = 250_000_000L;

    /** Its speed is that of the last seconds. */
    private static final long STEADY = 3 * SECOND;

    private static final double NEAR = 0.9;

    private static final Path PROGRAM = Places.inRepository("native/target/bench/newcomer");
    private static final Path RUN = Places.inRepository("native/target/bin/facet-run");

    /**
     * @param slice its name
     * @param options of facet-run
     * @param kernels folder of their text
     * @param others slices that share the device
     */
    static Beginning watch(
            Ground ground,
            String slice,
            List<String> options,
            Path kernels,
            long millis,
            List<String> others)
            throws IOException, InterruptedException {
        Path output = Files.createTempFile(ground.directory(), "newcomer", ".txt");
        Path errors = Files.createTempFile(ground.directory(), "newcomer", ".errors");
        List<String> command = new ArrayList<>(List.of(RUN.toString()));
        command.addAll(options);
        command.addAll(
                List.of("--", PROGRAM.toString(), kernels.toString(), Long.toString(millis)));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("FACET_RUNTIME_DIR", ground.directory().toString());
        builder.redirectOutput(output.toFile()).redirectError(errors.toFile());
        List<String> slices = new ArrayList<>(List.of(slice));
        slices.addAll(others);
        long[][] looks = new long[SECONDS + 1][];
        looks[0] = ground.control().deviceNanos(slices);
        long started = System.nanoTime();
        Process process = builder.start();
        try {
            for (int i = 1; i <= SECONDS; i++) {
                Pause.until(started + i * SECOND);
                looks[i] = ground.control().deviceNanos(slices);
            }
            int status = process.waitFor();
            if (status != 0) {
                throw new IOException(
                        "the newcomer ended with status "
                                + status
                                + ": "
                                + Files.readString(errors));
            }
        } finally {
            process.destroyForcibly();
        }
        try (Stream<String> lines = Files.lines(output, StandardCharsets.UTF_8)) {
            return parse(started, lines.toList(), shares(looks));
        }
    }

    private static double[] shares(long[][] looks) {
        double[] shares = new double[SECONDS];
        for (int i = 0; i < SECONDS; i++) {
            double own = looks[i + 1][0] - looks[i][0];
            double all = 0;
            for (int j = 0; j < looks[i].length; j++) {
                all += looks[i + 1][j] - looks[i][j];
            }
            shares[i] = all == 0 ? 0 : 100 * own / all;
        }
        return shares;
    }

    static Beginning parse(long started, List<String> lines, double[] shares) {
        return new Beginning(
                started, numbers(lines, "opened ")[0], numbers(lines, "step "), shares);
    }

    private static long[] numbers(List<String> lines, String word) {
        return lines.stream()
                .filter(each -> each.startsWith(word))
                .mapToLong(each -> Long.parseLong(each.substring(word.length())))
                .toArray();
    }

    double firstResultMillis() {
        return (steps[0] - started) / 1e6;
    }

    /** Steps a second in the end. */
    double steady() {
        long end = steps[steps.length - 1];
        return rate(Math.max(opened, end - STEADY), end);
    }

    /** What it did in a second after its start, as a part of its steady speed. */
    double part(int second) {
        long from = started + second * SECOND;
        return rate(from, from + SECOND) / steady();
    }

    /** From its start to where a window begins in which it is as fast as in the end, nearly. */
    double settledMillis() {
        double wanted = NEAR * steady();
        for (int i = -1; i < steps.length; i++) {
            long from = i < 0 ? opened : steps[i];
            if (rate(from, from + WINDOW) >= wanted) {
                return (from - started) / 1e6;
            }
        }
        return Double.NaN;
    }

    private double rate(long from, long to) {
        return (at(to) - at(from)) / ((to - from) / 1e9);
    }

    /** Steps done at a time; one that is under way counts in part. */
    private double at(long time) {
        if (time <= opened) {
            return 0;
        }
        int index = Arrays.binarySearch(steps, time);
        int done = index >= 0 ? index + 1 : -index - 1;
        if (done == steps.length) {
            return done;
        }
        long before = done == 0 ? opened : steps[done - 1];
        return done + (double) (time - before) / (steps[done] - before);
    }
}
