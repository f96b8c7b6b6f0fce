package facet.sim;

import java.util.List;
import java.util.stream.LongStream;

/** Seeds as they are written: 42, or 42-51. */
public final class Seeds {
    private static final long MOST = 10_000;

    private Seeds() {}

    /**
     * @throws IllegalArgumentException when it is neither
     */
    public static List<Long> parse(String text) {
        if (!text.matches("[0-9]{1,15}(-[0-9]{1,15})?")) {
            throw new IllegalArgumentException(
                    "'"
                            + text
                            + "' is neither a seed nor seeds from one to another, such as 42-51");
        }
        String[] bounds = text.split("-", -1);
        long first = Long.parseLong(bounds[0]);
        long last = Long.parseLong(bounds[bounds.length - 1]);
        if (last < first || last - first >= MOST) {
            throw new IllegalArgumentException(
                    "'" + text + "' has " + (last < first ? "no" : "more than " + MOST) + " seeds");
        }
        return LongStream.rangeClosed(first, last).boxed().toList();
    }
}
