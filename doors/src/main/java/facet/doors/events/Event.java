package facet.doors.events;

import facet.log.Who;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Something that happened.
 *
 * @param sequence from 1, over the daemon's life
 * @param time milliseconds since 1970
 */
public record Event(long sequence, long time, Kind kind, Who who, String text) {
    /** As it is answered. What it is not about is left out. */
    public Map<String, Object> row() {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("sequence", sequence);
        row.put("time", time);
        row.put("kind", kind.text());
        if (who.slice() != null) {
            row.put("slice", who.slice());
        }
        if (who.session() != 0) {
            row.put("session", who.session());
        }
        row.put("text", text);
        return row;
    }
}
