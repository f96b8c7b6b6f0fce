package facet.place;

/**
 * A machine of the cluster.
 *
 * @param model of all its devices
 * @param cpu thousandths of a processor
 * @param memory MiB
 */
public record Node(String name, String model, int devices, int cpu, int memory) {
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
}
