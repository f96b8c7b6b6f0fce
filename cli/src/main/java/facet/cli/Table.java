package facet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** Rows of JSON objects as text: one line a row, columns as wide as they need. */
final class Table {
    /**
     * @param right whether it is aligned to the right, as numbers are
     */
    record Column(String heading, boolean right, Function<JsonNode, String> value) {
        static Column text(String heading, String field) {
            return new Column(heading, false, row -> row.path(field).asText("-"));
        }

        static Column number(String heading, String field) {
            return new Column(heading, true, row -> row.path(field).asText("-"));
        }

        static Column bytes(String heading, String field) {
            return new Column(heading, true, row -> Units.bytes(row.path(field).asLong()));
        }

        static Column nanos(String heading, String field) {
            return new Column(heading, true, row -> Units.nanos(row.path(field).asLong()));
        }
    }

    private static final int LEAST_NAME = 8;

    private final List<Column> columns;

    Table(Column... columns) {
        this.columns = List.of(columns);
    }

    String of(JsonNode rows) {
        return of(rows, Integer.MAX_VALUE);
    }

    /** Where lines would be longer than that, names in the first column are cut. */
    String of(JsonNode rows, int most) {
        List<List<String>> cells = new ArrayList<>();
        cells.add(columns.stream().map(Column::heading).toList());
        rows.forEach(
                row -> cells.add(columns.stream().map(each -> each.value().apply(row)).toList()));
        int[] widths = new int[columns.size()];
        for (int i = 0; i < widths.length; i++) {
            int column = i;
            widths[i] = cells.stream().mapToInt(each -> each.get(column).length()).max().orElse(0);
        }
        int others = Arrays.stream(widths).sum() - widths[0] + 2 * (widths.length - 1);
        widths[0] = Math.min(widths[0], Math.max(LEAST_NAME, most - others));
        StringBuilder text = new StringBuilder();
        for (List<String> line : cells) {
            StringBuilder out = new StringBuilder();
            for (int i = 0; i < columns.size(); i++) {
                int width = widths[i];
                String cell = line.get(i);
                if (cell.length() > width) {
                    cell = cell.substring(0, width - 1) + "…";
                }
                String pad = " ".repeat(width - cell.length());
                out.append(i == 0 ? "" : "  ")
                        .append(columns.get(i).right() ? pad + cell : cell + pad);
            }
            text.append(out.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}
