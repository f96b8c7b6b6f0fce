package facet.sim;

import facet.place.tide.Tide;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * {@code tides.csv} beside a trace: how many nodes each pool has from which time of the day.
 * Columns are {@code from,pool,nodes} and, the same in every line or missing, {@code
 * drain,patience}.
 */
final class CalendarFile {
    private CalendarFile() {}

    /** Nothing where there is no such file. */
    static @Nullable Calendar read(Path file, Trace trace) throws TraceException {
        if (!Files.isRegularFile(file)) {
            return null;
        }
        Csv csv = Csv.read(file, List.of(Column.FROM, Column.POOL, Column.NODES));
        TreeMap<Long, Map<String, Integer>> turns = new TreeMap<>();
        long drain = Calendar.USUAL_DRAIN;
        long patience = Calendar.USUAL_PATIENCE;
        for (Csv.Row row : csv.rows()) {
            String pool = row.text(Column.POOL);
            if (trace.nodes().stream().noneMatch(each -> each.traits().pool().equals(pool))) {
                throw row.wrong("no node is in pool '" + pool + "'");
            }
            Map<String, Integer> turn = turns.computeIfAbsent(second(row), each -> new TreeMap<>());
            if (turn.put(pool, row.number(Column.NODES)) != null) {
                throw row.wrong("pool '" + pool + "' is there twice at that time");
            }
            drain = seconds(row, Column.DRAIN, drain);
            patience = seconds(row, Column.PATIENCE, patience);
        }
        try {
            List<Tide.Turn> all = new ArrayList<>();
            turns.forEach((second, nodes) -> all.add(new Tide.Turn(second, nodes)));
            Calendar calendar = new Calendar(new Tide(all), drain, patience);
            check(calendar, trace);
            return calendar;
        } catch (IllegalArgumentException e) {
            throw new TraceException(file + ": " + e.getMessage(), e);
        }
    }

    private static void check(Calendar calendar, Trace trace) {
        long there =
                trace.nodes().stream()
                        .filter(each -> calendar.tide().pools().contains(each.traits().pool()))
                        .count();
        int wanted =
                calendar.tide().turns().getFirst().nodes().values().stream()
                        .mapToInt(Integer::intValue)
                        .sum();
        if (wanted != there) {
            throw new IllegalArgumentException(
                    "pools %s have %d nodes by day, and there are %d of them"
                            .formatted(calendar.tide().pools(), wanted, there));
        }
    }

    private static long second(Csv.Row row) throws TraceException {
        String text = row.text(Column.FROM);
        if (!text.matches("([01][0-9]|2[0-3]):[0-5][0-9]")) {
            throw row.wrong("from is '" + text + "', and should be a time of the day as 07:30");
        }
        return Integer.parseInt(text.substring(0, 2)) * 3600L
                + Integer.parseInt(text.substring(3)) * 60L;
    }

    private static long seconds(Csv.Row row, Column column, long usual) throws TraceException {
        return row.text(column).isEmpty() ? usual : row.number(column, Tide.DAY - 1);
    }
}
