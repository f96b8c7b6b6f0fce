package facet.place;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The device models of a cluster. Each has a number, so that a set of them is the bits of a long.
 */
public final class Models {
    /** The set with every model, also those that are not there yet. */
    public static final long ANY = -1L;

    private static final int MOST = 63;

    private final Map<String, Integer> numbers = new LinkedHashMap<>();

    /** The number of a model; a new one for a name that was not there. */
    public int number(String name) {
        Integer known = numbers.get(name);
        if (known != null) {
            return known;
        }
        if (numbers.size() == MOST) {
            throw new IllegalArgumentException(
                    "more than " + MOST + " models of devices; '" + name + "' is one too many");
        }
        numbers.put(name, numbers.size());
        return numbers.size() - 1;
    }

    /** Those of the names that the cluster has; none of them gives the empty set. */
    public long set(List<String> names) {
        long set = 0;
        for (String each : names) {
            Integer number = numbers.get(each);
            set |= number == null ? 0 : 1L << number;
        }
        return set;
    }

    public int count() {
        return numbers.size();
    }

    /** All of them, by their numbers. */
    public List<String> names() {
        return List.copyOf(numbers.keySet());
    }

    public String name(int number) {
        return names().get(number);
    }
}
