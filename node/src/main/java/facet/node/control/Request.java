package facet.node.control;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** One line that was asked. */
public record Request(String verb, Map<String, String> values) {

    static Request parse(String line) throws ControlException {
        String[] words = line.strip().split("[ \t]+");
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 1; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            if (equals <= 0) {
                throw new ControlException("'" + words[i] + "' is not key=value");
            }
            String key = words[i].substring(0, equals);
            if (values.put(key, decode(words[i].substring(equals + 1))) != null) {
                throw new ControlException("'" + key + "' is given twice");
            }
        }
        return new Request(words[0], values);
    }

    private static String decode(String text) throws ControlException {
        try {
            // The decoder takes + for a blank, as forms do; here it is a plus.
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new ControlException("'" + text + "' is not percent-encoded", e);
        }
    }

    public Optional<String> value(String key) {
        return Optional.ofNullable(values.get(key));
    }

    /** Refuses keys that the verb does not have: a misspelt one must not be ignored. */
    void allow(Set<String> keys) throws ControlException {
        for (String key : values.keySet()) {
            if (!keys.contains(key)) {
                throw new ControlException(
                        verb
                                + " has no '"
                                + key
                                + "'"
                                + (keys.isEmpty()
                                        ? "; it takes none"
                                        : "; it takes " + String.join(", ", new TreeSet<>(keys))));
            }
        }
    }
}
