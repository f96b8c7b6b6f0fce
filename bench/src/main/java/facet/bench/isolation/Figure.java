package facet.bench.isolation;

import facet.bench.Table;
import java.util.Locale;

/** What was promised; a line that names it when it is missed. */
public final class Figure {
    private Figure() {}

    public static void atMost(Table table, String what, double value, double limit, String unit) {
        // Written so that what is not a number misses too.
        if (!(value <= limit)) {
            miss(table, what, value, "at most", limit, unit);
        }
    }

    public static void atLeast(Table table, String what, double value, double limit, String unit) {
        if (!(value >= limit)) {
            miss(table, what, value, "at least", limit, unit);
        }
    }

    private static void miss(
            Table table, String what, double value, String bound, double limit, String unit) {
        table.fail(
                String.format(
                        Locale.ROOT,
                        "%s: %.3g%s, promised is %s %.3g%s",
                        what,
                        value,
                        unit,
                        bound,
                        limit,
                        unit));
    }
}
