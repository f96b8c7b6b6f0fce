package facet.place;

/**
 * What is asked for: nothing of a device, or a part of one, or several whole ones, or the same part
 * of several. All of it on one node. Requests that are equal are of the same kind: who asks is in
 * {@link Job}.
 *
 * @param devices how many different devices
 * @param share of each of them
 * @param where which nodes will do
 * @param cpu thousandths of a processor
 * @param memory MiB of the node's memory
 */
public record Request(int devices, Share share, Where where, int cpu, int memory) {
    public Request {
        if (devices < 0 || devices > Cluster.MOST_DEVICES) {
            throw new IllegalArgumentException(
                    devices + " devices; a request has 0 to " + Cluster.MOST_DEVICES);
        }
        if ((devices == 0) != share.equals(Share.NONE)) {
            throw new IllegalArgumentException(
                    devices + " devices with " + share + " each: both are zero, or none of them");
        }
        if (devices > 1 && share.isBeside()) {
            throw new IllegalArgumentException(
                    "bursts and hardware parts are of one device, not of " + devices);
        }
        if (cpu < 0 || memory < 0) {
            throw new IllegalArgumentException(
                    "less than nothing: cpu " + cpu + ", memory " + memory);
        }
    }

    /**
     * For compute alone.
     *
     * @param models the set of models that will do
     */
    public Request(int devices, int thousandths, long models, int cpu, int memory) {
        this(
                devices,
                Share.compute(thousandths),
                models == Names.ANY ? Where.ANYWHERE : Where.models(models),
                cpu,
                memory);
    }

    /** Of each device. */
    public int thousandths() {
        return share.thousandths();
    }

    public long models() {
        return where.models();
    }

    /** Whether others may be on the same devices. */
    public boolean isPart() {
        return devices > 0 && share.thousandths() < Cluster.WHOLE;
    }

    /** Thousandths of all its devices. */
    public int demand() {
        return devices * share.demand();
    }

    public boolean accepts(int model) {
        return (where.models() >>> model & 1) != 0;
    }
}
