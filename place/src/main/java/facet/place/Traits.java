package facet.place;

import java.util.Set;

/**
 * What is special about a node.
 *
 * @param pool to which it belongs
 * @param zone what it has in common with nodes that are near: a rack, a switch
 * @param labels that requests may want
 * @param deviceMemory MiB of each device
 * @param island so many neighbouring devices are connected better with each other than with the
 *     rest; 0: all the same
 * @param promised thousandths of a device's compute that may be promised with bursts; 1000: no more
 *     than it has
 * @param division how its devices can be divided into hardware parts, see {@link Parts}; empty: not
 * @param shared MiB of a device that anybody may have, however much others were promised: where
 *     what nobody uses is moved out of a device; {@link #ONCE}: memory is promised once
 */
public record Traits(
        String pool,
        String zone,
        Set<String> labels,
        int deviceMemory,
        int island,
        int promised,
        String division,
        int shared) {
    /** Memory that one has nobody else has. */
    public static final int ONCE = -1;

    public static final Traits NONE = new Traits("", "", Set.of(), 0, 0, Cluster.WHOLE, "");

    private static final int MOST_PROMISED = 10 * Cluster.WHOLE;

    public Traits {
        labels = Set.copyOf(labels);
        if (deviceMemory < 0 || island < 0) {
            throw new IllegalArgumentException(
                    "devices with " + deviceMemory + " MiB, " + island + " on an island");
        }
        if (shared < ONCE) {
            throw new IllegalArgumentException(shared + " MiB of a device for everybody");
        }
        if (promised < Cluster.WHOLE || promised > MOST_PROMISED) {
            throw new IllegalArgumentException(
                    promised
                            + " thousandths of a device promised; a node promises 1000 to "
                            + MOST_PROMISED);
        }
        if (!division.isEmpty() && !Parts.divisions().contains(division)) {
            throw new IllegalArgumentException(
                    "no devices are divided as '"
                            + division
                            + "'; there are "
                            + String.join(", ", Parts.divisions()));
        }
    }

    /** Memory is promised once. */
    public Traits(
            String pool,
            String zone,
            Set<String> labels,
            int deviceMemory,
            int island,
            int promised,
            String division) {
        this(pool, zone, labels, deviceMemory, island, promised, division, ONCE);
    }

    public Traits withPromised(int thousandths) {
        return new Traits(pool, zone, labels, deviceMemory, island, thousandths, division, shared);
    }

    public Traits withDivision(String other) {
        return new Traits(pool, zone, labels, deviceMemory, island, promised, other, shared);
    }

    public Traits withPool(String other) {
        return new Traits(other, zone, labels, deviceMemory, island, promised, division, shared);
    }

    public Traits withZone(String other) {
        return new Traits(pool, other, labels, deviceMemory, island, promised, division, shared);
    }

    public Traits withLabels(Set<String> others) {
        return new Traits(pool, zone, others, deviceMemory, island, promised, division, shared);
    }

    public Traits withDeviceMemory(int mebibytes) {
        return new Traits(pool, zone, labels, mebibytes, island, promised, division, shared);
    }

    public Traits withIslandsOf(int devices) {
        return new Traits(pool, zone, labels, deviceMemory, devices, promised, division, shared);
    }

    public Traits withShared(int mebibytes) {
        return new Traits(pool, zone, labels, deviceMemory, island, promised, division, mebibytes);
    }
}
