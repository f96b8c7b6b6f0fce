package facet.cli.top;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.OptionalDouble;

/** Amounts in few characters. What is not known is a dash. */
final class Cells {
    static final String UNKNOWN = "-";

    private static final String[] BYTES = {"B", "K", "M", "G", "T", "P"};
    private static final String[] COUNTS = {"", "k", "M", "G", "T"};

    private Cells() {}

    static String bytes(JsonNode value) {
        return value.isNumber() ? scaled(value.asDouble(), 1024, BYTES) : UNKNOWN;
    }

    static String count(JsonNode value) {
        return value.isNumber() ? scaled(value.asDouble(), 1000, COUNTS) : UNKNOWN;
    }

    static String count(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    static String rate(OptionalDouble value) {
        if (value.isEmpty()) {
            return UNKNOWN;
        }
        double rate = value.getAsDouble();
        return rate > 0 && rate < 10
                ? String.format(Locale.ROOT, "%.1f", rate)
                : scaled(rate, 1000, COUNTS);
    }

    static String percent(OptionalDouble value) {
        return value.isEmpty() ? UNKNOWN : Math.round(value.getAsDouble()) + "%";
    }

    static String percent(JsonNode value) {
        return value.isNumber() ? Math.round(value.asDouble()) + "%" : UNKNOWN;
    }

    static String text(JsonNode value) {
        return value.isMissingNode() || value.isNull() || value.asText().isEmpty()
                ? UNKNOWN
                : value.asText();
    }

    /** At most five characters: 1023M, 1.5G. */
    private static String scaled(double value, int step, String[] units) {
        double rest = value;
        int unit = 0;
        while (rest >= step && unit < units.length - 1) {
            rest /= step;
            unit++;
        }
        boolean whole = unit == 0 || rest >= 100 || rest == Math.rint(rest);
        return String.format(Locale.ROOT, whole ? "%.0f%s" : "%.1f%s", rest, units[unit]);
    }

    /** Cut to the width, with a mark where something is missing. */
    static String fit(String text, int width) {
        if (text.length() <= width) {
            return text;
        }
        return width <= 1
                ? text.substring(0, Math.max(0, width))
                : text.substring(0, width - 1) + "~";
    }

    static String left(String text, int width) {
        return String.format("%-" + Math.max(1, width) + "s", fit(text, width));
    }

    static String right(String text, int width) {
        return String.format("%" + Math.max(1, width) + "s", fit(text, width));
    }
}
