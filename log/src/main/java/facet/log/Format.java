package facet.log;

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
                    + " "
                    + plain(who, event, text);
        }
    },
    /** For systemd's journal, which has the time itself and wants the level first: sd-daemon(3). */
    JOURNAL {
        @Override
        String line(Instant time, Log.Level level, Who who, String event, String text) {
            int priority =
                    switch (level) {
                        case ERROR -> 3;
                        case WARNING -> 4;
                        case INFO -> 6;
                        case DEBUG -> 7;
                    };
            return "<" + priority + ">" + plain(who, event, text);
        }
    },
    /** An object a line. */
    JSON {
        @Override
        String line(Instant time, Log.Level level, Who who, String event, String text) {
            return LogJson.line(time, level, who, event, text);
        }
    };

    private static String plain(Who who, String event, String text) {
        return "["
                + Log.clean(who.text())
                + "] "
                + (event.isEmpty() ? "" : event + ": ")
                + Log.clean(text);
    }

    abstract String line(Instant time, Log.Level level, Who who, String event, String text);

    public static Format of(String text) {
        return switch (text) {
            case "text" -> TEXT;
            case "json" -> JSON;
            case "journal" -> JOURNAL;
            default ->
                    throw new IllegalArgumentException(
                            "--log-format is text, json or journal, not '" + text + "'");
        };
    }

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
