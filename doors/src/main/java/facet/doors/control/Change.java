package facet.doors.control;

import facet.slices.Setting;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What has happened to a slice that is kept.
 *
 * @param placement why it is on its devices, where it was just put there and there are several
 */
public record Change(
        String slice, Action action, List<Difference> differences, Optional<String> placement) {
    public Change(String slice, Action action, List<Difference> differences) {
        this(slice, action, differences, Optional.empty());
    }

    /** What was done. */
    public enum Action {
        CREATED,
        CHANGED,
        UNCHANGED,
        DELETED,
        /** It is not there for anybody any more; what ran in it is still being stopped. */
        DELETING
    }

    /**
     * @param from empty when it was not there
     * @param to empty when it is not there any more
     */
    public record Difference(String key, String from, String to) {}

    public Change {
        differences = List.copyOf(differences);
    }

    /** As it is when the end of the slice goes on in the background. */
    public Change goingOn() {
        return new Change(slice, Action.DELETING, differences, placement);
    }

    public Change placed(String why) {
        return new Change(slice, action, differences, Optional.of(why));
    }

    /** compute 20% -> 30%, turn 20ms. */
    public String words() {
        List<String> words = new ArrayList<>();
        for (Difference each : differences) {
            String from = each.from().isEmpty() ? "" : each.from() + " -> ";
            words.add(each.key() + " " + from + (each.to().isEmpty() ? "none" : each.to()));
        }
        return String.join(", ", words);
    }

    /** With what is different between two descriptions of the slice. */
    public static Change of(
            String slice, Action action, Map<Setting, String> before, Map<Setting, String> after) {
        List<Difference> differences = new ArrayList<>();
        for (Setting each : Setting.values()) {
            String from = before.getOrDefault(each, "");
            String to = after.getOrDefault(each, "");
            if (!from.equals(to)) {
                differences.add(new Difference(each.key(), from, to));
            }
        }
        return new Change(slice, action, differences);
    }

    public Map<String, Object> row() {
        List<Map<String, Object>> changes = new ArrayList<>();
        for (Difference each : differences) {
            Map<String, Object> change = new LinkedHashMap<>();
            change.put("key", each.key());
            if (!each.from().isEmpty()) {
                change.put("from", each.from());
            }
            if (!each.to().isEmpty()) {
                change.put("to", each.to());
            }
            changes.add(change);
        }
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("slice", slice);
        row.put("action", action.name().toLowerCase(Locale.ROOT));
        row.put("changes", changes);
        placement.ifPresent(why -> row.put("placement", why));
        return row;
    }
}
