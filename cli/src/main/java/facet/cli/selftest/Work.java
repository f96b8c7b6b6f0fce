package facet.cli.selftest;

import java.io.IOException;

/** What programs do that always have something to do: kernels of 1 ms, one behind the other. */
final class Work {
    /** Of a kernel: enough for all of a device. */
    static final int BLOCKS = 64;

    static final int MICROS = 1000;

    /** What happens before then is not looked at. */
    static final long SETTLE = 500_000_000;

    private static final int BATCH = 4;
    private static final int SAMPLE_MILLIS = 20;

    private Work() {}

    /** Finds out how long a kernel is to be, and lets all of them have it. */
    static void prepare(Program first, Program... others) throws IOException, InterruptedException {
        // Once to get warm.
        first.ask("calibrate", BLOCKS, MICROS);
        long rounds = (long) first.ask("calibrate", BLOCKS, MICROS).number("rounds");
        for (Program each : others) {
            each.ask("use", BLOCKS, rounds);
        }
    }

    /** Lets a program work; its answer is to follow. Times are those of {@link System#nanoTime}. */
    static void begin(Program program, long start, long end) throws IOException {
        program.tell("work", start, end, BATCH, SAMPLE_MILLIS);
    }

    /** Blocks a second that a program does for so long. */
    static double rate(Program program, long seconds) throws IOException, InterruptedException {
        long start = Ground.soon();
        long end = start + SETTLE + Math.max(seconds, 1) * 1_000_000_000L;
        begin(program, start, end);
        return program.answer().rate(start + SETTLE, end);
    }

    /** Device time that a program's slice has in a second while it works for so long. */
    static double deviceRate(Program program, long seconds)
            throws IOException, InterruptedException {
        long start = Ground.soon();
        long end = start + SETTLE + Math.max(seconds, 1) * 1_000_000_000L;
        begin(program, start, end + SETTLE);
        Ground.waitUntil(start + SETTLE);
        long from = System.nanoTime();
        long before = program.slice().deviceNanos();
        Ground.waitUntil(end);
        double used = program.slice().deviceNanos() - before;
        double rate = used / (System.nanoTime() - from);
        program.answer();
        return rate;
    }
}
