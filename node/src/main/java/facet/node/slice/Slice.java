package facet.node.slice;

import java.util.regex.Pattern;

/**
 * A part of this node's devices.
 *
 * @param name also that of its folder
 * @param memory bytes of device memory that its sessions may have together, on each device
 * @param compute percent of a device's time
 * @param devices how many of the node's devices it sees
 */
public record Slice(String name, long memory, int compute, int devices) {
    /** The one that is always there: the whole node. */
    public static final String DEFAULT = "default";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,47}");

    public Slice {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "'"
                            + name
                            + "' cannot name a slice: 1 to 48 letters, digits, '.', '_' or '-',"
                            + " starting with a letter or digit");
        }
        if (memory <= 0) {
            throw new IllegalArgumentException("a slice with " + memory + " bytes of memory");
        }
        if (compute < 1 || compute > 100) {
            throw new IllegalArgumentException(
                    "compute is 1 to 100 percent of a device, not " + compute);
        }
        if (devices < 1) {
            throw new IllegalArgumentException("a slice with " + devices + " devices");
        }
    }

    public Slice withName(String other) {
        return new Slice(other, memory, compute, devices);
    }

    /** A name as near as can be to what was asked for: programs have all kinds of names. */
    public static String nameFrom(String text) {
        String name = text.replaceAll("[^A-Za-z0-9._-]", "-").replaceFirst("^[^A-Za-z0-9]+", "");
        return name.isEmpty() ? "slice" : name.substring(0, Math.min(name.length(), 40));
    }
}
