package facet.bench;

import java.util.Locale;

/** What was promised, and whether it holds. */
public final class Figure {
    private Figure() {}

    public static void atMost(Table table, String what, double value, double limit, String unit) {
        table.promise(text(what, value, "at most", limit, unit), value <= limit);
    }

    public static void atLeast(Table table, String what, double value, double limit, String unit) {
        table.promise(text(what, value, "at least", limit, unit), value >= limit);
    }

    private static String text(String what, double value, String bound, double limit, String unit) {
        return String.format(
                Locale.ROOT,
                "%s: %.3g%s, promised is %s %.3g%s",
                what,
                value,
                unit,
                bound,
                limit,
                unit);
    }
}
