package facet.doors.control;

import facet.slices.Setting;
import facet.slices.Settings;
import facet.slices.Slice;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Verbs that make slices, change them and remove them. */
final class SliceVerbs {
    private static final String NAME = "name";

    private SliceVerbs() {}

    static Map<String, Verb> all() {
        Set<String> settings = new HashSet<>(Setting.keys());
        settings.add(NAME);
        Map<String, Verb> all = new LinkedHashMap<>();
        all.put("run", new Verb(settings, SliceVerbs::run));
        all.put("slice-create", new Verb(settings, SliceVerbs::create));
        all.put("slice-set", new Verb(settings, SliceVerbs::set));
        all.put("explain", new Verb(settings, SliceVerbs::explainPlace));
        all.put(
                "slice-explain",
                new Verb(
                        Set.of(NAME),
                        (request, connection) ->
                                connection.operations().explain(request.text(NAME))));
        all.put("slice-delete", new Verb(Set.of(NAME, "force"), SliceVerbs::delete));
        all.put(
                "apply",
                new Verb(Set.of("document", "prune", "force", "dryRun"), SliceVerbs::apply));
        return all;
    }

    /** Those of its keys that are settings. */
    static Settings settings(Request request) {
        Map<Setting, String> values = new EnumMap<>(Setting.class);
        for (Setting each : Setting.values()) {
            request.value(each.key()).ifPresent(value -> values.put(each, value));
        }
        return new Settings(values);
    }

    private static Map<String, Object> run(Request request, ControlConnection connection)
            throws ControlException {
        Operations node = connection.operations();
        Slice wanted =
                settings(request)
                        .slice(Slice.nameFrom(request.value(NAME).orElse("run")), node.whole());
        Operations.Made made = node.create(wanted, connection.user());
        Slice slice = made.slice();
        connection.own(slice.name());
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("slice", slice.name());
        answer.put("socket", made.socket().toString());
        answer.put("memory", slice.memory());
        answer.put("compute", slice.terms().compute());
        answer.put("policy", slice.terms().policy().text());
        answer.put("engine", node.explain(slice.name()).get("engine"));
        return answer;
    }

    private static Map<String, Object> create(Request request, ControlConnection connection)
            throws ControlException {
        return connection.operations().keep(request.text(NAME), settings(request)).row();
    }

    private static Map<String, Object> set(Request request, ControlConnection connection)
            throws ControlException {
        Settings settings = settings(request);
        if (settings.isEmpty()) {
            throw new ControlException(
                    "nothing to set; say one of " + String.join(", ", Setting.keys()));
        }
        return connection.operations().change(request.text(NAME), settings).row();
    }

    private static Map<String, Object> explainPlace(Request request, ControlConnection connection)
            throws ControlException {
        return connection
                .operations()
                .explainPlace(request.value(NAME).orElse(""), settings(request));
    }

    private static Map<String, Object> delete(Request request, ControlConnection connection)
            throws ControlException {
        return connection.operations().delete(request.text(NAME), request.isTrue("force")).row();
    }

    private static Map<String, Object> apply(Request request, ControlConnection connection)
            throws ControlException {
        List<Change> changes =
                connection
                        .operations()
                        .apply(
                                request.text("document"),
                                request.isTrue("prune"),
                                request.isTrue("force"),
                                request.isTrue("dryRun"));
        List<Map<String, Object>> rows = new ArrayList<>();
        changes.forEach(each -> rows.add(each.row()));
        return Map.of("slices", rows);
    }
}
