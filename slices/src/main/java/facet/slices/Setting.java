package facet.slices;

import facet.sched.Calendar;
import facet.sched.Policy;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What can be said about a slice. The key is the same on the control socket and in files; on the
 * command line it has dashes.
 */
public enum Setting {
    MEMORY("memory", text -> Size.exact(Size.parse(text))),
    COMPUTE("compute", text -> Percent.text(Percent.parse(text))),
    POLICY("policy", text -> Policy.parse(text).text()),
    PRIORITY("priority", text -> number("priority", text)),
    TURN("turn", text -> Span.text(Span.parse(text))),
    CALENDAR("calendar", Setting::calendar),
    TIME_ZONE("timeZone", Setting::zone),
    MULTIPROCESSORS("multiprocessors", text -> number("multiprocessors", text)),
    DEVICES("devices", text -> number("devices", text)),
    DEVICE("device", text -> DeviceSet.parse(text).text()),
    NODE("node", text -> Site.node(text)),
    MODEL("model", text -> Site.model(text)),
    ISOLATION("isolation", text -> Isolation.parse(text).text()),
    ENGINE("engine", text -> Engine.parse(text).text()),
    STRICT("strict", Setting::yesOrNo);

    /** Whoever adds up promises looks at each line for each day of the week. */
    private static final int MOST_LINES = 64;

    private final String key;

    @SuppressWarnings("ImmutableEnumChecker") // functions without state
    private final UnaryOperator<String> normal;

    Setting(String key, UnaryOperator<String> normal) {
        this.key = key;
        this.normal = normal;
    }

    public String key() {
        return key;
    }

    /** The one way to write a value that people write in several; refuses what is none. */
    String normal(String text) {
        return normal.apply(text);
    }

    public static Optional<Setting> of(String key) {
        return Arrays.stream(values()).filter(each -> each.key.equals(key)).findFirst();
    }

    public static List<String> keys() {
        return Arrays.stream(values()).map(Setting::key).toList();
    }

    private static String yesOrNo(String text) {
        return switch (text.strip()) {
            case "yes", "true" -> "yes";
            case "no", "false" -> "no";
            default ->
                    throw new IllegalArgumentException("strict is yes or no, not '" + text + "'");
        };
    }

    private static String number(String key, String text) {
        if (!text.strip().matches("\\d{1,9}")) {
            throw new IllegalArgumentException(key + " is a whole number, not '" + text + "'");
        }
        return Integer.toString(Integer.parseInt(text.strip()));
    }

    private static String calendar(String text) {
        Calendar calendar = Calendar.parse(text, ZoneOffset.UTC);
        if (calendar.entries().size() > MOST_LINES) {
            throw new IllegalArgumentException(
                    "a calendar of "
                            + calendar.entries().size()
                            + " lines; "
                            + MOST_LINES
                            + " are the most");
        }
        return calendar.text();
    }

    private static String zone(String text) {
        try {
            return ZoneId.of(text.strip()).getId();
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no time zone; write it as Europe/Berlin or UTC", e);
        }
    }
}
