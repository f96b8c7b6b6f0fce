package facet.slices;

import facet.sched.Terms;
import java.util.regex.Pattern;

/**
 * A part of this node's devices.
 *
 * @param name also that of its folder
 * @param memory bytes of device memory that its sessions may have together, on each device
 * @param devices how many of the node's devices it sees
 * @param terms what it has of a device's time
 * @param isolation which process executes its code
 */
public record Slice(String name, long memory, int devices, Terms terms, Isolation isolation) {
    /** The one that is always there: the whole node. */
    public static final String DEFAULT = "default";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,47}");

    /** One that shares the daemon's process with others. */
    public Slice(String name, long memory, int devices, Terms terms) {
        this(name, memory, devices, terms, Isolation.SHARED);
    }

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
        if (devices < 1) {
            throw new IllegalArgumentException("a slice with " + devices + " devices");
        }
    }

    public Slice withName(String other) {
        return new Slice(other, memory, devices, terms, isolation);
    }

    public Slice withMemory(long bytes) {
        return new Slice(name, bytes, devices, terms, isolation);
    }

    public Slice withTerms(Terms other) {
        return new Slice(name, memory, devices, other, isolation);
    }

    public Slice withIsolation(Isolation other) {
        return new Slice(name, memory, devices, terms, other);
    }

    /** A name as near as can be to what was asked for: programs have all kinds of names. */
    public static String nameFrom(String text) {
        String name = text.replaceAll("[^A-Za-z0-9._-]", "-").replaceFirst("^[^A-Za-z0-9]+", "");
        return name.isEmpty() ? "slice" : name.substring(0, Math.min(name.length(), 40));
    }
}
