package facet.bench;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Tables for people: the first column to the left, numbers to the right. */
final class TextOutput {
    private TextOutput() {}

    static String of(Table table) {
        StringBuilder text = new StringBuilder();
        text.append(table.name()).append(": ").append(table.about()).append("\n\n");
        if (!table.rows().isEmpty()) {
            grid(text, table.columns(), table.rows());
        }
        table.summary()
                .forEach((key, value) ->
                        text.append(key).append(": ").append(cell(value)).append('\n'));
        table.notes().forEach(note -> text.append("note: ").append(note).append('\n'));
        table.failures().forEach(failure -> text.append("FAILED: ").append(failure).append('\n'));
        return text.toString();
    }

    private static void grid(
            StringBuilder text, List<Table.Column> columns, List<Map<String, Object>> rows) {
        int[] widths = new int[columns.size()];
        for (int i = 0; i < widths.length; i++) {
            String key = columns.get(i).key();
            widths[i] = columns.get(i).title().length();
            for (Map<String, Object> row : rows) {
                widths[i] = Math.max(widths[i], cell(row.get(key)).length());
            }
        }
        line(text, widths, columns.stream().map(Table.Column::title).toList());
        for (Map<String, Object> row : rows) {
            line(
                    text,
                    widths,
                    columns.stream().map(column -> cell(row.get(column.key()))).toList());
        }
        text.append('\n');
    }

    private static void line(StringBuilder text, int[] widths, List<String> cells) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String padding = " ".repeat(widths[i] - cells.get(i).length());
            line.append(i == 0 ? cells.get(i) + padding : "  " + padding + cells.get(i));
        }
        text.append(line.toString().stripTrailing()).append('\n');
    }

    private static String cell(@org.jspecify.annotations.Nullable Object value) {
        return switch (value) {
            case null -> "";
            case Double number -> number(number);
            default -> value.toString();
        };
    }

    /** Three digits that count, or all before the point. */
    private static String number(double value) {
        double size = Math.abs(value);
        int decimals = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }
}
