package facet.place;

/**
 * What is asked for. Either nothing of a device, or a part of one, or several whole ones.
 *
 * @param devices how many devices
 * @param thousandths of each of them; 1000 unless {@code devices} is 1
 * @param models the set of models that will do; see {@link Models}
 * @param cpu thousandths of a processor
 * @param memory MiB of the node's memory
 */
public record Request(int devices, int thousandths, long models, int cpu, int memory) {
    public Request {
        if (devices < 0 || devices > Cluster.MOST_DEVICES) {
            throw new IllegalArgumentException(
                    devices + " devices; a request has 0 to " + Cluster.MOST_DEVICES);
        }
        if (thousandths < 0 || thousandths > Cluster.WHOLE) {
            throw new IllegalArgumentException(
                    thousandths + " thousandths of a device; there are 0 to 1000");
        }
        if ((devices == 0) != (thousandths == 0)) {
            throw new IllegalArgumentException(
                    devices
                            + " devices with "
                            + thousandths
                            + " thousandths each: both are zero, or none of them");
        }
        if (devices > 1 && thousandths != Cluster.WHOLE) {
            throw new IllegalArgumentException(
                    "parts of several devices, "
                            + devices
                            + " with "
                            + thousandths
                            + " thousandths each: ask for whole ones, or for each by itself");
        }
        if (cpu < 0 || memory < 0) {
            throw new IllegalArgumentException(
                    "less than nothing: cpu " + cpu + ", memory " + memory);
        }
    }

    /** Whether others may be on the same device. */
    public boolean isPart() {
        return devices == 1 && thousandths < Cluster.WHOLE;
    }

    /** Thousandths of all its devices. */
    public int demand() {
        return devices * thousandths;
    }

    public boolean accepts(int model) {
        return (models >>> model & 1) != 0;
    }
}
