package facet.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a measurement found: rows of named values, and a few values about all of them. */
public final class Table {
    /**
     * @param key the name in JSON, with the unit at its end
     * @param title the name in text
     */
    public record Column(String key, String title) {}

    private final String name;
    private final String about;
    private final List<Column> columns = new ArrayList<>();
    private final List<Map<String, Object>> rows = new ArrayList<>();
    private final Map<String, Object> summary = new LinkedHashMap<>();
    private final List<String> notes = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private final List<Promise> promises = new ArrayList<>();

    /**
     * Something that SPECIFICATION.md promises.
     *
     * @param text with what was measured
     */
    record Promise(String text, boolean holds) {}

    /**
     * @param about a line above the table, with the units
     */
    public Table(String name, String about) {
        this.name = name;
        this.about = about;
    }

    public Table column(String key, String title) {
        columns.add(new Column(key, title));
        return this;
    }

    /** A new last row; a column without a value stays empty. */
    public Map<String, Object> row() {
        Map<String, Object> row = new LinkedHashMap<>();
        rows.add(row);
        return row;
    }

    public void summarize(String key, Object value) {
        summary.put(key, value);
    }

    /** Something that is missing, and how to get it. */
    public void note(String line) {
        if (!notes.contains(line)) {
            notes.add(line);
        }
    }

    /** A wrong result; the benchmark ends with status 1. */
    public void fail(String line) {
        failures.add(line);
    }

    /** A promise; one that does not hold is a failure. */
    void promise(String text, boolean holds) {
        promises.add(new Promise(text, holds));
        if (!holds) {
            fail(text);
        }
    }

    List<Promise> promises() {
        return promises;
    }

    String name() {
        return name;
    }

    String about() {
        return about;
    }

    List<Column> columns() {
        return columns;
    }

    List<Map<String, Object>> rows() {
        return rows;
    }

    Map<String, Object> summary() {
        return summary;
    }

    List<String> notes() {
        return notes;
    }

    public List<String> failures() {
        return failures;
    }
}
