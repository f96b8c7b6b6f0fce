package facet.place;

/**
 * A machine of the cluster.
 *
 * @param model of all its devices
 * @param cpu thousandths of a processor
 * @param memory MiB
 * @param traits what few ask for
 */
public record Node(String name, String model, int devices, int cpu, int memory, Traits traits) {
    public Node {
        if (devices < 0 || devices > Cluster.MOST_DEVICES) {
            throw new IllegalArgumentException(
                    "node '"
                            + name
                            + "' with "
                            + devices
                            + " devices; a node has 0 to "
                            + Cluster.MOST_DEVICES);
        }
        if (cpu < 0 || memory < 0) {
            throw new IllegalArgumentException(
                    "node '" + name + "' with cpu " + cpu + ", memory " + memory);
        }
    }

    public Node(String name, String model, int devices, int cpu, int memory) {
        this(name, model, devices, cpu, memory, Traits.NONE);
    }

    public Node with(Traits other) {
        return new Node(name, model, devices, cpu, memory, other);
    }
}
