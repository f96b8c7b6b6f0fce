package facet.cli.selftest;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** A slice has the memory that it was given, and no more, however many programs ask. */
final class QuotaCheck implements Check {
    private static final long LIMIT = 64L << 20;
    private static final long PIECE = 1L << 20;

    /** What contexts, modules and pinned counts may take of it. */
    private static final long OVERHEAD = 8L << 20;

    private static final int OUT_OF_MEMORY = 2;

    @Override
    public String about() {
        return "quota";
    }

    @Override
    public String text() {
        return "a slice of 64 MiB";
    }

    @Override
    public List<Outcome> run(Ground ground) throws IOException, InterruptedException {
        try (Program first = ground.program("quota", Map.of("memory", Long.toString(LIMIT)));
                Program second = first.slice().tenant(false)) {
            Answer alone = first.ask("take", PIECE);
            first.ask("take", 0);
            // Both at once, and more than either of them would get alone.
            first.tell("take", PIECE);
            second.tell("take", PIECE);
            Answer one = first.answer();
            Answer other = second.answer();
            double sees = alone.number("sees");
            double got = alone.number("taken");
            double both = one.number("taken") + other.number("taken");
            return List.of(
                    Outcome.of(
                            about(),
                            text() + " looks like a device of",
                            mebibytes(sees),
                            "64 MiB",
                            sees == LIMIT),
                    Outcome.of(
                            about(),
                            "a program gets",
                            mebibytes(got) + ", then error " + (int) alone.number("refused"),
                            "56 to 64 MiB, then 2",
                            got <= LIMIT
                                    && got >= LIMIT - OVERHEAD
                                    && alone.number("refused") == OUT_OF_MEMORY),
                    Outcome.of(
                            about(),
                            "two programs at once get together",
                            mebibytes(both),
                            "56 to 64 MiB",
                            both <= LIMIT && both >= LIMIT - OVERHEAD));
        }
    }

    private static String mebibytes(double bytes) {
        return Math.round(bytes / (1 << 20)) + " MiB";
    }
}
