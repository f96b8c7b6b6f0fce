package facet.node;

import facet.doors.history.History;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Rows of devices and slices with what happened to them in the last second. */
final class LiveRows {
    private LiveRows() {}

    static List<Map<String, Object>> devices(List<Map<String, Object>> rows, History history) {
        for (int i = 0; i < rows.size(); i++) {
            Map<String, Object> row = rows.get(i);
            history.busy(i).ifPresent(percent -> row.put("busy", percent));
        }
        return rows;
    }

    static List<Map<String, Object>> slices(List<Map<String, Object>> rows, History history) {
        Map<String, History.Latest> latest = history.latest();
        List<Map<String, Object>> all = new ArrayList<>();
        for (Map<String, Object> row : rows) {
            History.Latest known = latest.get(String.valueOf(row.get("name")));
            if (known != null) {
                known.got().ifPresent(percent -> row.put("got", percent));
                row.put("gotOn", known.gotOn());
                known.waiting().ifPresent(percent -> row.put("waiting", percent));
            }
            row.put("wanted", row.getOrDefault("promised", 0));
            all.add(row);
        }
        return all;
    }
}
