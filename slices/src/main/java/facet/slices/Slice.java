package facet.slices;

import facet.sched.Terms;
import java.util.regex.Pattern;

/**
 * A part of this node's devices.
 *
 * @param name also that of its folder
 * @param memory bytes of device memory that its sessions may have together, on each device; no more
 *     than a device has
 * @param devices those of the node that it sees
 * @param terms what it has of a device's time
 * @param isolation which process executes its code
 * @param driving how its programs come to the devices
 */
public record Slice(
        String name,
        long memory,
        DeviceSet devices,
        Terms terms,
        Isolation isolation,
        Driving driving) {
    /** The one that is always there: the whole node. */
    public static final String DEFAULT = "default";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,47}");

    /** Memory of which nobody said how much: all of whatever device it is on. */
    public static final long ALL_MEMORY = Long.MAX_VALUE;

    /** One that shares the daemon's process with others, on devices that are not chosen yet. */
    public Slice(String name, long memory, int devices, Terms terms) {
        this(name, memory, DeviceSet.any(devices), terms, Isolation.SHARED);
    }

    /** One of which nobody said how its programs come to the devices. */
    public Slice(String name, long memory, DeviceSet devices, Terms terms, Isolation isolation) {
        this(name, memory, devices, terms, isolation, Driving.USUAL);
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
    }

    public Slice withName(String other) {
        return new Slice(other, memory, devices, terms, isolation, driving);
    }

    public Slice withMemory(long bytes) {
        return new Slice(name, bytes, devices, terms, isolation, driving);
    }

    public Slice withDevices(DeviceSet other) {
        return new Slice(name, memory, other, terms, isolation, driving);
    }

    public Slice withTerms(Terms other) {
        return new Slice(name, memory, devices, other, isolation, driving);
    }

    public Slice withIsolation(Isolation other) {
        return new Slice(name, memory, devices, terms, other, driving);
    }

    /** A name as near as can be to what was asked for: programs have all kinds of names. */
    public static String nameFrom(String text) {
        String name = text.replaceAll("[^A-Za-z0-9._-]", "-").replaceFirst("^[^A-Za-z0-9]+", "");
        return name.isEmpty() ? "slice" : name.substring(0, Math.min(name.length(), 40));
    }
}
