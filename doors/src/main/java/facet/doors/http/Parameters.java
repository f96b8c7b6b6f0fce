package facet.doors.http;

import io.helidon.webserver.http.ServerRequest;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What stands behind the question mark. A misspelt one must not be ignored. */
record Parameters(Map<String, String> values) {
    static Parameters of(ServerRequest request, String... known) {
        Map<String, String> values = new TreeMap<>();
        for (String each : request.query().names()) {
            if (!Set.of(known).contains(each)) {
                throw new Refusal(
                        400,
                        "there is no parameter '" + each + "'",
                        known.length == 0
                                ? "this path takes none"
                                : "there are " + String.join(", ", new TreeSet<>(Set.of(known))));
            }
            if (request.query().all(each).size() > 1) {
                throw new Refusal(400, "'" + each + "' is given twice");
            }
            values.put(each, request.query().get(each));
        }
        return new Parameters(values);
    }

    /** A whole number from 0 on. */
    long number(String name, long usual, long most) {
        String text = values.get(name);
        if (text == null) {
            return usual;
        }
        try {
            long number = Long.parseLong(text);
            if (number >= 0 && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Said below, as for a number out of range.
        }
        throw new Refusal(
                400, name + " is a whole number from 0 to " + most + ", not '" + text + "'");
    }
}
