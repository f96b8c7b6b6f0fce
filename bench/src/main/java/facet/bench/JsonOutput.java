package facet.bench;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Tables for programs: an object for each measurement. */
final class JsonOutput {
    private JsonOutput() {}

    static String of(List<Table> tables) {
        return tables.stream()
                .map(JsonOutput::table)
                .collect(Collectors.joining(",\n", "[\n", "\n]"));
    }

    private static String table(Table table) {
        String rows =
                table.rows().stream()
                        .map(row -> "\n    " + object(row))
                        .collect(Collectors.joining(",", "[", "]"));
        return "  {\"measurement\": %s,\n   \"rows\": %s,\n   \"summary\": %s,\n   \"notes\": %s,\n   \"promises\": %s,\n   \"failures\": %s}"
                .formatted(
                        string(table.name()),
                        rows,
                        object(table.summary()),
                        strings(table.notes()),
                        promises(table),
                        strings(table.failures()));
    }

    private static String promises(Table table) {
        return table.promises().stream()
                .map(each ->
                        "{\"promise\": %s, \"holds\": %s}"
                                .formatted(string(each.text()), each.holds()))
                .collect(Collectors.joining(", ", "[", "]"));
    }

    private static String object(Map<String, Object> values) {
        return values.entrySet().stream()
                .map(each -> string(each.getKey()) + ": " + value(each.getValue()))
                .collect(Collectors.joining(", ", "{", "}"));
    }

    private static String strings(List<String> values) {
        return values.stream().map(JsonOutput::string).collect(Collectors.joining(", ", "[", "]"));
    }

    private static String value(Object value) {
        return switch (value) {
            case Double number when !Double.isFinite(number) -> "null";
            case Double number -> String.format(Locale.ROOT, "%.6g", number);
            case Number number -> number.toString();
            case Boolean truth -> truth.toString();
            default -> string(value.toString());
        };
    }

    private static String string(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ') {
                quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
