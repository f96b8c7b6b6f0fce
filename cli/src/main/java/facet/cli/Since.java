package facet.cli;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * From when on: after an event, or within a length of time.
 *
 * @param sequence of the last event that is not wanted
 * @param millis since 1970; older events are not wanted
 */
record Since(long sequence, long millis) {
    static final Since EVER = new Since(0, 0);

    private static final Pattern FORM = Pattern.compile("(\\d{1,15})([smhd]?)");
    private static final Map<String, Duration> UNITS =
            Map.of(
                    "s", Duration.ofSeconds(1),
                    "m", Duration.ofMinutes(1),
                    "h", Duration.ofHours(1),
                    "d", Duration.ofDays(1));

    /** From 90s, 10m, 2h, 1d, or a sequence. */
    static Since parse(String text, Instant now) {
        Matcher matcher = FORM.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "--since is a time as 90s, 10m, 2h, 1d, or the number of an event; not '"
                            + text
                            + "'");
        }
        long number = Long.parseLong(matcher.group(1));
        Duration unit = UNITS.get(matcher.group(2));
        if (unit == null) {
            return new Since(number, 0);
        }
        double back = (double) number * unit.toMillis();
        return new Since(0, (long) Math.max(0, now.toEpochMilli() - back));
    }
}
