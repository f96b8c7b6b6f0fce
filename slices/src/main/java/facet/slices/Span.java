package facet.slices;

import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lengths of time as people write them: 20ms, 500us, 1.5s. */
public final class Span {
    private static final Pattern FORM = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,6})?)\\s*(us|ms|s)");
    private static final Map<String, Long> NANOS =
            Map.of("us", 1_000L, "ms", 1_000_000L, "s", 1_000_000_000L);

    private Span() {}

    public static Duration parse(String text) {
        Matcher matcher = FORM.matcher(text.strip());
        Long unit = matcher.matches() ? NANOS.get(matcher.group(2)) : null;
        if (unit == null) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no length of time; write it as 20ms or 1s");
        }
        return Duration.ofNanos(Math.round(Double.parseDouble(matcher.group(1)) * unit));
    }

    /** In the largest unit of which it is a whole number. */
    public static String text(Duration span) {
        long nanos = span.toNanos();
        for (String unit : new String[] {"s", "ms"}) {
            long one = NANOS.getOrDefault(unit, 1L);
            if (nanos % one == 0) {
                return nanos / one + unit;
            }
        }
        return nanos / 1_000 + "us";
    }
}
