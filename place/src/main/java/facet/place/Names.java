package facet.place;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Names of one kind. Each has a number, so that a set of them is the bits of a long. */
public class Names {
    /** The set with every name, also those that are not there yet. */
    public static final long ANY = -1L;

    private static final int MOST = 63;

    private final String kind;
    private final Map<String, Integer> numbers = new LinkedHashMap<>();

    /**
     * @param kind what they are names of, in the plural, for messages
     */
    public Names(String kind) {
        this.kind = kind;
    }

    /** The number of a name; a new one for a name that was not there. */
    public final int number(String name) {
        Integer known = numbers.get(name);
        if (known != null) {
            return known;
        }
        if (numbers.size() == MOST) {
            throw new IllegalArgumentException(
                    "more than " + MOST + " " + kind + "; '" + name + "' is one too many");
        }
        numbers.put(name, numbers.size());
        return numbers.size() - 1;
    }

    /** Those of the names that are there; none of them gives the empty set. */
    public final long set(Iterable<String> names) {
        long set = 0;
        for (String each : names) {
            Integer number = numbers.get(each);
            set |= number == null ? 0 : 1L << number;
        }
        return set;
    }

    public final int count() {
        return numbers.size();
    }

    /** All of them, by their numbers. */
    public final List<String> names() {
        return List.copyOf(numbers.keySet());
    }

    public final String name(int number) {
        return names().get(number);
    }
}
