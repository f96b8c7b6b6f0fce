package facet.cli.top;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;

/** How quickly counters went up, each row compared with the one of the same key before. */
final class Rates {
    private final Map<String, JsonNode> before = new HashMap<>();
    private final String key;
    private final double nanos;

    private Rates(String key, double nanos) {
        this.key = key;
        this.nanos = nanos;
    }

    static Rates between(Sample.Rows before, Sample.Rows after, String key) {
        Rates rates = new Rates(key, after.nanos() - before.nanos());
        before.rows().forEach(row -> rates.before.put(row.path(key).asText(), row));
        return rates;
    }

    double nanos() {
        return nanos;
    }

    /** In a nanosecond. A row that was not there before began with nothing. */
    OptionalDouble of(JsonNode row, String field) {
        if (!row.path(field).isNumber() || nanos <= 0) {
            return OptionalDouble.empty();
        }
        JsonNode old = before.get(row.path(key).asText());
        double from = old == null ? 0 : old.path(field).asDouble(0);
        // A slice that was removed and made again begins anew.
        double to = row.path(field).asDouble();
        return OptionalDouble.of((to >= from ? to - from : to) / nanos);
    }

    OptionalDouble sum(JsonNode rows, String field) {
        double sum = 0;
        boolean known = rows.isEmpty();
        for (JsonNode row : rows) {
            OptionalDouble rate = of(row, field);
            if (rate.isPresent()) {
                known = true;
                sum += rate.getAsDouble();
            }
        }
        return known ? OptionalDouble.of(sum) : OptionalDouble.empty();
    }

    static OptionalDouble times(OptionalDouble value, double factor) {
        return value.isPresent()
                ? OptionalDouble.of(value.getAsDouble() * factor)
                : OptionalDouble.empty();
    }
}
