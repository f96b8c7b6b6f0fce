package facet.doors.control;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** One line that was asked. */
public record Request(String verb, Map<String, String> values) {

    public static Request parse(String line) throws ControlException {
        String[] words = line.strip().split("[ \t]+", -1);
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

    /** As it is sent, without the end of the line. */
    public String line() {
        StringBuilder line = new StringBuilder(verb);
        values.forEach((key, value) ->
                line.append(' ')
                        .append(key)
                        .append('=')
                        .append(
                                URLEncoder.encode(value, StandardCharsets.UTF_8)
                                        .replace("+", "%20")));
        return line.toString();
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

    /** A value that must be there. */
    public String text(String key) throws ControlException {
        String value = values.get(key);
        if (value == null) {
            throw new ControlException(verb + " without '" + key + "'");
        }
        return value;
    }

    public long number(String key) throws ControlException {
        try {
            return Long.parseLong(text(key));
        } catch (NumberFormatException e) {
            throw new ControlException(key + " is a whole number, not '" + text(key) + "'", e);
        }
    }

    /** Whether it was said with {@code key=true}; not at all is no. */
    boolean isTrue(String key) throws ControlException {
        String value = values.getOrDefault(key, "false");
        if (!value.equals("true") && !value.equals("false")) {
            throw new ControlException(key + " is true or false, not '" + value + "'");
        }
        return value.equals("true");
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
