package facet.slices;

import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Which of a node's devices a slice has: these, or so many of whichever suit.
 *
 * @param count how many
 * @param numbers of the devices, the lowest first; empty: not chosen yet
 * @param site where they are
 */
public record DeviceSet(int count, List<Integer> numbers, Site site) {
    /** A node has far fewer. */
    private static final int MOST = 1024;

    public DeviceSet {
        numbers = List.copyOf(new TreeSet<>(numbers));
        if (count < 1) {
            throw new IllegalArgumentException("a slice with " + count + " devices");
        }
        if (!numbers.isEmpty() && numbers.size() != count) {
            throw new IllegalArgumentException(count + " devices, and " + numbers + " are named");
        }
    }

    /** Of this node. */
    public DeviceSet(int count, List<Integer> numbers) {
        this(count, numbers, Site.HERE);
    }

    public DeviceSet at(Site other) {
        return new DeviceSet(count, numbers, other);
    }

    /** Whether they were found on another node than this one. */
    public boolean isElsewhere() {
        return isChosen() && !site.node().isEmpty();
    }

    /** Any that suit. */
    public static DeviceSet any(int count) {
        return new DeviceSet(count, List.of());
    }

    public static DeviceSet of(List<Integer> numbers) {
        return new DeviceSet(new TreeSet<>(numbers).size(), numbers);
    }

    /** The first ones of a node. */
    public static DeviceSet first(int count) {
        return new DeviceSet(count, IntStream.range(0, count).boxed().toList());
    }

    /** Those of a text such as 0,2. */
    public static DeviceSet parse(String text) {
        String[] parts = text.strip().split("\\s*,\\s*", -1);
        TreeSet<Integer> numbers = new TreeSet<>();
        for (String each : parts) {
            if (!each.matches("\\d{1,4}") || Integer.parseInt(each) >= MOST) {
                throw new IllegalArgumentException(
                        "device is the number of a device, or several with commas between them,"
                                + " as 0,2; not '"
                                + text
                                + "'");
            }
            if (!numbers.add(Integer.parseInt(each))) {
                throw new IllegalArgumentException("device " + each + " is there twice");
            }
        }
        return of(List.copyOf(numbers));
    }

    public boolean isChosen() {
        return !numbers.isEmpty();
    }

    /** devices 0,2; 2 devices when they are not chosen. */
    public String words() {
        String where = site.node().isEmpty() ? "" : " of node " + site.node();
        return (isChosen()
                        ? (count == 1 ? "device " : "devices ") + text()
                        : count + (count == 1 ? " device" : " devices"))
                + where;
    }

    /** 0,2; empty when they are not chosen. */
    public String text() {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
