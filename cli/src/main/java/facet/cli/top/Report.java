package facet.cli.top;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.OptionalDouble;

/** A view as JSON: the daemon's own rows, with what was computed from two of them. */
public final class Report {
    private Report() {}

    public static ObjectNode of(View view) {
        ObjectNode report = JsonNodeFactory.instance.objectNode();
        report.put("seconds", view.seconds());
        put(report, "utilisation", view.utilisation());
        ArrayNode devices = report.putArray("devices");
        for (View.DeviceLine each : view.devices()) {
            ObjectNode row = each.row().deepCopy();
            put(row, "utilisation", each.utilisation());
            devices.add(row);
        }
        ArrayNode slices = report.putArray("slices");
        for (View.SliceLine each : view.slices()) {
            ObjectNode row = each.row().deepCopy();
            put(row, "got", each.got());
            put(row, "waiting", each.waiting());
            put(row, "launchesPerSecond", each.launches());
            slices.add(row);
        }
        ArrayNode sessions = report.putArray("sessions");
        for (View.SessionLine each : view.sessions()) {
            ObjectNode row = each.row().deepCopy();
            put(row, "got", each.got());
            put(row, "launchesPerSecond", each.launches());
            sessions.add(row);
        }
        return report;
    }

    /** What is not known is left out. */
    private static void put(ObjectNode row, String key, OptionalDouble value) {
        value.ifPresent(number -> row.put(key, Math.round(number * 100) / 100.0));
    }
}
