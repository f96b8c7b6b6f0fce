package facet.sim;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** A file of lines with commas between the values; the first line names the columns. */
final class Csv {
    private static final int MOST_LINES = 20_000_000;

    /** A line. */
    final class Row {
        private final int line;
        private final String[] values;

        private Row(int line, String[] values) {
            this.line = line;
            this.values = values;
        }

        /** The value of a column; empty where the file has no such column. */
        String text(Column column) {
            int index = indexes.getOrDefault(column, -1);
            return index < 0 || index >= values.length ? "" : values[index].strip();
        }

        int number(Column column) throws TraceException {
            return Math.toIntExact(number(column, Integer.MAX_VALUE));
        }

        /** Also as 12.0, as programs write numbers of columns in which some are missing. */
        long number(Column column, long most) throws TraceException {
            String text = text(column).replaceFirst("\\.0+$", "");
            if (!text.matches("[0-9]{1,18}") || Long.parseLong(text) > most) {
                throw wrong(
                        column.word()
                                + " is '"
                                + text(column)
                                + "', and should be a number from 0 to "
                                + most);
            }
            return Long.parseLong(text);
        }

        TraceException wrong(String what) {
            return new TraceException(file + ", line " + line + ": " + what);
        }
    }

    private final Path file;
    private final Map<Column, Integer> indexes = new EnumMap<>(Column.class);
    private final List<Row> rows = new ArrayList<>();

    private Csv(Path file) {
        this.file = file;
    }

    /**
     * @param needed columns without which it is no such file
     */
    static Csv read(Path file, List<Column> needed) throws TraceException {
        Csv csv = new Csv(file);
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            String head = reader.readLine();
            if (head == null || head.isBlank()) {
                throw new TraceException(
                        file + " is empty; its first line should name the columns");
            }
            // Spreadsheets write a mark before the first letter.
            List<String> names = List.of(head.replaceFirst("^\uFEFF", "").split(",", -1));
            for (Column each : Column.values()) {
                OptionalInt index = each.find(names);
                csv.indexes.put(each, index.orElse(-1));
                if (index.isEmpty() && needed.contains(each)) {
                    throw new TraceException(
                            file
                                    + " has no column "
                                    + String.join(" or ", each.names())
                                    + "; its first line should name it");
                }
            }
            int number = 1;
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                number++;
                if (number > MOST_LINES) {
                    throw new TraceException(file + " has more than " + MOST_LINES + " lines");
                }
                if (!line.isBlank()) {
                    csv.rows.add(csv.row(number, line));
                }
            }
        } catch (NoSuchFileException e) {
            throw new TraceException("there is no file " + file, e);
        } catch (CharacterCodingException e) {
            throw new TraceException(file + " is no text", e);
        } catch (IOException e) {
            throw new TraceException("cannot read " + file + ": " + e.getMessage(), e);
        }
        return csv;
    }

    private Row row(int number, String line) throws TraceException {
        Row row = new Row(number, line.split(",", -1));
        if (line.indexOf('"') >= 0) {
            throw row.wrong("values in quotes are not understood; write them without");
        }
        return row;
    }

    List<Row> rows() {
        return rows;
    }
}
