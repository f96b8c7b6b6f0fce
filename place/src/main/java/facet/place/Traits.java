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
 */
public record Traits(String pool, String zone, Set<String> labels, int deviceMemory, int island) {
    public static final Traits NONE = new Traits("", "", Set.of(), 0, 0);

    public Traits {
        labels = Set.copyOf(labels);
        if (deviceMemory < 0 || island < 0) {
            throw new IllegalArgumentException(
                    "devices with " + deviceMemory + " MiB, " + island + " on an island");
        }
    }

    public Traits withPool(String other) {
        return new Traits(other, zone, labels, deviceMemory, island);
    }

    public Traits withZone(String other) {
        return new Traits(pool, other, labels, deviceMemory, island);
    }

    public Traits withLabels(Set<String> others) {
        return new Traits(pool, zone, others, deviceMemory, island);
    }

    public Traits withDeviceMemory(int mebibytes) {
        return new Traits(pool, zone, labels, mebibytes, island);
    }

    public Traits withIslandsOf(int devices) {
        return new Traits(pool, zone, labels, deviceMemory, devices);
    }
}
