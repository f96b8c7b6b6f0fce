package facet.sched;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** How a slice shares a device's time with others. */
public enum Policy {
    /** Its share, never more. */
    FIXED,
    /** Its share whenever it wants it; what others leave idle as well. */
    BURST,
    /** Before others of a lower priority, whatever their share. */
    PRIORITY,
    /** Turns of a set length, in which nobody else runs. */
    TIME_SLICE,
    /** Like {@link #BURST}, with a share that follows a calendar. */
    TIDAL;

    /** As people write it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static Policy parse(String text) {
        for (Policy each : values()) {
            if (each.text().equals(text.strip().toLowerCase(Locale.ROOT))) {
                return each;
            }
        }
        throw new IllegalArgumentException(
                "there is no policy '"
                        + text
                        + "'; there are "
                        + Arrays.stream(values())
                                .map(Policy::text)
                                .collect(Collectors.joining(", ")));
    }
}
