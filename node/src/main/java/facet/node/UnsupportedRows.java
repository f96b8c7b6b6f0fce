package facet.node;

import facet.host.ledger.UnsupportedCounts;
import facet.node.server.SliceServer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What programs asked for and did not get, by slice. A program's slice goes with it, and somebody
 * asks only then: the last slices that are gone are remembered. Any thread.
 */
final class UnsupportedRows {
    /** Slices that are gone. */
    private static final int MOST_GONE = 64;

    private final Map<String, UnsupportedCounts> gone = new LinkedHashMap<>();

    /** A slice has ended; a later one with its name is the same one here. */
    synchronized void ended(SliceServer server) {
        if (server.unsupported().all().isEmpty()) {
            return;
        }
        String name = server.slice().name();
        UnsupportedCounts known = gone.remove(name);
        UnsupportedCounts counts = known == null ? new UnsupportedCounts() : known;
        counts.addAll(server.unsupported());
        gone.put(name, counts);
        if (gone.size() > MOST_GONE) {
            gone.remove(gone.keySet().iterator().next());
        }
    }

    synchronized List<Map<String, Object>> of(List<SliceServer> current) {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (SliceServer each : current) {
            add(rows, each.slice().name(), each.unsupported(), true);
        }
        gone.forEach((name, counts) -> add(rows, name, counts, false));
        return rows;
    }

    private static void add(
            List<Map<String, Object>> rows,
            String slice,
            UnsupportedCounts counts,
            boolean present) {
        for (UnsupportedCounts.Entry each : counts.all()) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("slice", slice);
            row.put("present", present);
            row.put("kind", each.kind().text());
            row.put("name", each.name());
            row.put("count", each.count());
            rows.add(row);
        }
    }
}
