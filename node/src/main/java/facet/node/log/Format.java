package facet.node.log;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** How a line is written. */
public enum Format {
    /** Time, level, whom it is about, text. */
    TEXT {
        @Override
        String line(Instant time, Log.Level level, Who who, String event, String text) {
            return time.truncatedTo(ChronoUnit.MILLIS)
                    + " "
                    + level.name().toLowerCase(Locale.ROOT)
                    + " ["
                    + Log.clean(who.text())
                    + "] "
                    + (event.isEmpty() ? "" : event + ": ")
                    + Log.clean(text);
        }
    },
    /** An object a line. */
    JSON {
        @Override
        String line(Instant time, Log.Level level, Who who, String event, String text) {
            return LogJson.line(time, level, who, event, text);
        }
    };

    abstract String line(Instant time, Log.Level level, Who who, String event, String text);

    public static Format of(String text) {
        return switch (text) {
            case "text" -> TEXT;
            case "json" -> JSON;
            default ->
                    throw new IllegalArgumentException(
                            "--log-format is text or json, not '" + text + "'");
        };
    }

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
