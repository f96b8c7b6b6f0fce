package facet.place;

import java.util.Arrays;
import java.util.List;

/**
 * The mix as devices of one model see it, added up so that a node's fragmentation is a look into a
 * table for each device.
 *
 * <p>A request of the mix can use, on a node, what is free on the devices that have enough for it,
 * if there are enough such devices and processors; else nothing. What is free and the mix cannot
 * use, on average over the mix, is the node's fragmentation (Weng et al., Beware of Fragmentation,
 * USENIX ATC 2023). Turned around: a device of which {@code f} is free is of use to those requests
 * for one device that want at most {@code f} and at most the free processors. {@code single} has
 * the sums of their parts in the mix, {@code several} the same for requests for more devices.
 */
public final class MixTable {
    /** Of devices that a request may ask for, none included. */
    private static final int COUNTS = Cluster.MOST_DEVICES + 1;

    /** Amounts of cpu in the mix, ascending, each once. */
    private final int[] cpus;

    /** How many sizes of the mix are at most so many thousandths. */
    private final int[] sizeRank = new int[Cluster.WHOLE + 1];

    private final int sizes;
    private final double[] single;
    private final double[] several;
    private final double cpuPerDevice;

    /** Parts of several devices: rare, and added up one by one. */
    private final List<Mix.Entry> parts;

    MixTable(List<Mix.Entry> mix, int model) {
        List<Mix.Entry> seen =
                mix.stream()
                        .filter(each -> each.request().devices() > 0)
                        .filter(each -> each.request().accepts(model))
                        .toList();
        cpus = seen.stream().mapToInt(each -> each.request().cpu()).sorted().distinct().toArray();
        int[] wanted =
                seen.stream()
                        .mapToInt(each -> each.request().thousandths())
                        .sorted()
                        .distinct()
                        .toArray();
        for (int i = 0; i <= Cluster.WHOLE; i++) {
            sizeRank[i] = rank(wanted, i);
        }
        sizes = wanted.length + 1;
        single = new double[(cpus.length + 1) * sizes];
        several = new double[(cpus.length + 1) * COUNTS];
        double devices =
                seen.stream().mapToDouble(each -> each.part() * each.request().demand()).sum();
        double cpu = seen.stream().mapToDouble(each -> each.part() * each.request().cpu()).sum();
        cpuPerDevice = devices == 0 ? 0 : cpu * Cluster.WHOLE / devices;
        for (Mix.Entry each : seen) {
            Request request = each.request();
            int rank = rank(cpus, request.cpu());
            if (request.devices() > 1 && request.isPart()) {
                continue;
            }
            if (request.devices() == 1) {
                single[rank * sizes + sizeRank[request.thousandths()]] += each.part();
            } else {
                several[rank * COUNTS + request.devices()] += each.part();
            }
        }
        parts =
                seen.stream()
                        .filter(each -> each.request().devices() > 1)
                        .filter(each -> each.request().isPart())
                        .toList();
        addUp(single, sizes);
        addUp(several, COUNTS);
    }

    /** Each number becomes the sum of all that are neither to its right nor below it. */
    private static void addUp(double[] table, int width) {
        for (int row = 0; row < table.length; row += width) {
            double sum = 0;
            for (int i = row; i < row + width; i++) {
                sum += table[i];
                table[i] = sum + (row == 0 ? 0 : table[i - width]);
            }
        }
    }

    /** How many of the sorted values are at most {@code value}. */
    private static int rank(int[] sorted, int value) {
        int found = Arrays.binarySearch(sorted, value);
        return found >= 0 ? found + 1 : -found - 1;
    }

    /** For the calls below: how much of the mix so many processors are enough for. */
    public int cpuRank(int cpu) {
        return rank(cpus, cpu);
    }

    /** Thousandths of processors that come with a whole device in the mix, on average. */
    public double cpuPerDevice() {
        return cpuPerDevice;
    }

    /** Thousandths of a device's free ones that requests for one device can use, on average. */
    public double usable(int cpuRank, int free) {
        return free * single[cpuRank * sizes + sizeRank[free]];
    }

    /** The same for requests for several devices and all free devices of a node. */
    public double usableByMany(int cpuRank, int whole) {
        return (double) whole * Cluster.WHOLE * several[cpuRank * COUNTS + whole];
    }

    /** Whether requests for parts of several devices are in the mix. */
    boolean hasParts() {
        return !parts.isEmpty();
    }

    /**
     * The same for requests for parts of several devices.
     *
     * @param taken the bits of devices of which so many thousandths less are free
     */
    double usableByParts(Cluster cluster, int node, int cpuRank, long taken, int thousandths) {
        double sum = 0;
        for (Mix.Entry each : parts) {
            Request request = each.request();
            int enough = 0;
            int usable = 0;
            long bit = 1;
            for (int i = cluster.first(node); i < cluster.end(node); i++, bit <<= 1) {
                int free = cluster.free(i) - ((taken & bit) == 0 ? 0 : thousandths);
                if (free >= request.thousandths()) {
                    enough++;
                    usable += free;
                }
            }
            boolean fits = enough >= request.devices() && rank(cpus, request.cpu()) <= cpuRank;
            sum += fits ? each.part() * usable : 0;
        }
        return sum;
    }

    /** Thousandths of the node's free ones that the mix cannot use, on average. */
    public double fragmentation(Cluster cluster, int node) {
        int cpu = cpuRank(cluster.cpu(node));
        double usable = usableByMany(cpu, cluster.wholeOnNode(node));
        for (int device = cluster.first(node); device < cluster.end(node); device++) {
            usable += usable(cpu, cluster.free(device));
        }
        return cluster.freeOnNode(node) - usable - usableByParts(cluster, node, cpu, 0, 0);
    }
}
