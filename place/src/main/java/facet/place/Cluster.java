package facet.place;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is free, as plain arrays: devices are numbered through, those of a node are neighbours.
 * Remembers which nodes changed last, so that whoever keeps something about a node knows when to
 * look again.
 */
public final class Cluster {
    /** Thousandths of a device. */
    public static final int WHOLE = 1000;

    /** So that the devices of a node are the bits of a long. */
    public static final int MOST_DEVICES = 64;

    private static final int CHANGES_KEPT = 1 << 13;

    private final List<Node> nodes;
    private final Models models;
    private final Names pools;
    private final Names labels;
    private final Map<String, Integer> zones = new HashMap<>();
    private final int[] model;
    private final int[] pool;
    private final int[] zone;
    private final long[] labelled;
    private final boolean[] closed;
    private final long[] version;
    private final int[] first;
    private final int[] free;
    private final int[] freeOnNode;
    private final int[] wholeOnNode;
    private final int[] cpu;
    private final int[] memory;
    private final Extras extras;
    private final int[] changed = new int[CHANGES_KEPT];
    private final int mostCpu;
    private final int mostDevices;
    private long changes;
    private long freeOnAll;

    public Cluster(List<Node> nodes, Models models) {
        this(nodes, models, new Names("pools"), new Names("labels"));
    }

    /**
     * @param models names of its nodes that are not there are added, and so with the others
     */
    public Cluster(List<Node> nodes, Models models, Names pools, Names labels) {
        this.nodes = List.copyOf(nodes);
        this.models = models;
        this.pools = pools;
        this.labels = labels;
        int count = nodes.size();
        model = new int[count];
        pool = new int[count];
        zone = new int[count];
        labelled = new long[count];
        closed = new boolean[count];
        version = new long[count];
        first = new int[count + 1];
        cpu = new int[count];
        memory = new int[count];
        freeOnNode = new int[count];
        wholeOnNode = new int[count];
        for (int i = 0; i < count; i++) {
            Node node = nodes.get(i);
            Traits traits = node.traits();
            model[i] = models.number(node.model());
            pool[i] = pools.number(traits.pool());
            zone[i] = zones.computeIfAbsent(traits.zone(), each -> zones.size());
            traits.labels().forEach(labels::number);
            labelled[i] = labels.set(traits.labels());
            first[i + 1] = Math.addExact(first[i], node.devices());
            cpu[i] = node.cpu();
            memory[i] = node.memory();
            freeOnNode[i] = node.devices() * WHOLE;
            wholeOnNode[i] = node.devices();
        }
        free = new int[first[count]];
        Arrays.fill(free, WHOLE);
        extras = new Extras(free.length);
        for (int i = 0; i < count; i++) {
            for (int device = first[i]; device < first[i + 1]; device++) {
                extras.add(device, deviceMemory(i));
            }
        }
        mostCpu = nodes.stream().mapToInt(Node::cpu).max().orElse(0);
        mostDevices = nodes.stream().mapToInt(Node::devices).max().orElse(0);
        freeOnAll = capacity();
    }

    public int nodes() {
        return model.length;
    }

    public Node node(int node) {
        return nodes.get(node);
    }

    public Models models() {
        return models;
    }

    public Names pools() {
        return pools;
    }

    public Names labels() {
        return labels;
    }

    /** The number of its pool. */
    public int pool(int node) {
        return pool[node];
    }

    /** From now on it belongs to that pool; what is on it stays. */
    public void changePool(int node, String name) {
        pool[node] = pools.number(name);
        changed(node);
    }

    /** How many zones there are; they have the numbers from 0. */
    public int zones() {
        return zones.size();
    }

    public int zone(int node) {
        return zone[node];
    }

    /** The bits of its labels. */
    public long labels(int node) {
        return labelled[node];
    }

    /** From now on it has these labels; what is on it stays. */
    public void changeLabels(int node, Set<String> names) {
        names.forEach(labels::number);
        labelled[node] = labels.set(names);
        changed(node);
    }

    /** A closed node takes nothing new; what is on it stays. */
    public boolean isClosed(int node) {
        return closed[node];
    }

    public void close(int node) {
        closed[node] = true;
        changed(node);
    }

    public void open(int node) {
        closed[node] = false;
        changed(node);
    }

    /** Another number whenever something about the node has changed; never less than before. */
    public long version(int node) {
        return version[node];
    }

    public int devices() {
        return free.length;
    }

    public int model(int node) {
        return model[node];
    }

    /** The number of the node's first device. */
    public int first(int node) {
        return first[node];
    }

    /** The number behind its last. */
    public int end(int node) {
        return first[node + 1];
    }

    /** The number of the lowest of the node's devices with these bits. */
    int device(int node, long devices) {
        return first[node] + Long.numberOfTrailingZeros(devices);
    }

    /** So many neighbouring devices of the node are near each other; 0: all of them. */
    public int island(int node) {
        return nodes.get(node).traits().island();
    }

    /** Thousandths of a device. */
    public int free(int device) {
        return free[device];
    }

    /** MiB that each device of a node has, used or not. */
    public int deviceMemory(int node) {
        return nodes.get(node).traits().deviceMemory();
    }

    /** MiB that are free on a device. */
    public int freeMemory(int device) {
        return extras.memory(device);
    }

    /** Thousandths of a device's codecs. */
    public int freeCodec(int device) {
        return extras.codec(device);
    }

    /** Thousandths of what a device can draw. */
    public int freeRender(int device) {
        return extras.render(device);
    }

    /** Whether the node would do if it were empty. */
    public boolean suits(int node, Request request) {
        Where where = request.where();
        Node all = nodes.get(node);
        return !closed[node]
                && (where.pools() >>> pool[node] & 1) != 0
                && (where.labels() & ~labelled[node]) == 0
                && request.cpu() <= all.cpu()
                && request.memory() <= all.memory()
                && (request.devices() == 0
                        || request.accepts(model[node])
                                && request.devices() <= all.devices()
                                && request.share().memory() <= deviceMemory(node));
    }

    /** Whether it has room for a request now. */
    public boolean fits(int node, Request request) {
        return Fit.of(this, node, request) == Fit.FITS;
    }

    /** Whether a device of the node has such a share. */
    boolean has(int node, int device, Share share) {
        return share.thousandths() <= free[device]
                && (!share.isMoreThanCompute()
                        || extras.has(device, share, deviceMemory(node))
                                && share.burst() <= burstRoom(node, device)
                                && hasPart(node, device, share.part()));
    }

    /** The same, however much was promised beyond what the device has. */
    private boolean hasAgain(int node, int device, Share share) {
        return share.thousandths() <= free[device]
                && (!share.isMoreThanCompute()
                        || extras.has(device, share, deviceMemory(node))
                                && hasPart(node, device, share.part()));
    }

    /** The most thousandths of a device that may be promised, bursts included. */
    public int promised(int node) {
        return nodes.get(node).traits().promised();
    }

    /** Thousandths that bursts have of a device. */
    public int burst(int device) {
        return extras.burst(device);
    }

    /**
     * Thousandths that may still be promised to bursts. Less than nothing when others came who had
     * a right to the device: then some have to give way.
     */
    public int burstRoom(int node, int device) {
        return extras.slices(device) != 0
                ? 0
                : promised(node) - (WHOLE - free[device]) - extras.burst(device);
    }

    /** How the node's devices can be divided into hardware parts; empty: not. */
    public String division(int node) {
        return nodes.get(node).traits().division();
    }

    /** The bits of a device's slices that hardware parts have. */
    public int slices(int device) {
        return extras.slices(device);
    }

    /** A device that is divided already, or one of which nobody has anything. */
    private boolean hasPart(int node, int device, @Nullable Part part) {
        if (part == null) {
            return true;
        }
        boolean open =
                extras.slices(device) != 0
                        || free[device] == WHOLE && extras.isUntouched(device, deviceMemory(node));
        return open && part.division().equals(division(node)) && part.fits(extras.slices(device));
    }

    /**
     * What a request is when it gets these devices: a hardware part has its slices then. All others
     * stay as they are.
     */
    Request resolve(int node, long devices, Request request) {
        Part part = request.share().part();
        if (part == null || part.isPlaced()) {
            return request;
        }
        Part placed = Parts.place(part, extras.slices(device(node, devices)));
        return new Request(
                request.devices(),
                Share.part(placed),
                request.where(),
                request.cpu(),
                request.memory());
    }

    /** Thousandths of all devices of a node. */
    public int freeOnNode(int node) {
        return freeOnNode[node];
    }

    /** Devices of a node that nobody uses. */
    public int wholeOnNode(int node) {
        return wholeOnNode[node];
    }

    public int cpu(int node) {
        return cpu[node];
    }

    public int memory(int node) {
        return memory[node];
    }

    /** Processors of the largest node, used or not, in thousandths; at least 1. */
    public int mostCpu() {
        return Math.max(1, mostCpu);
    }

    /** Devices of the largest node; at least 1. */
    public int mostDevices() {
        return Math.max(1, mostDevices);
    }

    /** Thousandths of all devices, used or not. */
    public long capacity() {
        return (long) free.length * WHOLE;
    }

    /** Thousandths that somebody has. */
    public long used() {
        return capacity() - freeOnAll;
    }

    /**
     * @param devices the bits of those on the node, the first one lowest
     * @throws IllegalStateException when some of it is taken; then nothing has changed
     */
    void take(int node, long devices, Request request) {
        check(canTake(node, devices, request), node, request);
        change(node, devices, request, -1);
    }

    /**
     * The same for one that was there: in what order others came does not matter. A part has its
     * slices.
     */
    void takeAgain(int node, long devices, Request request) {
        check(canTake(node, devices, request, true), node, request);
        change(node, devices, request, -1);
    }

    /** Whether these very devices have it, and the node the rest. */
    public boolean canTake(int node, long devices, Request request) {
        return canTake(node, devices, request, false);
    }

    private boolean canTake(int node, long devices, Request request, boolean again) {
        boolean can =
                Long.bitCount(devices) == request.devices()
                        && isOnNode(node, devices)
                        && request.cpu() <= cpu[node]
                        && request.memory() <= memory[node];
        for (long rest = devices; can && rest != 0; rest &= rest - 1) {
            int device = first[node] + Long.numberOfTrailingZeros(rest);
            can =
                    again
                            ? hasAgain(node, device, request.share())
                            : has(node, device, request.share());
        }
        return can;
    }

    private boolean isOnNode(int node, long devices) {
        int count = first[node + 1] - first[node];
        return count == MOST_DEVICES || devices >>> count == 0;
    }

    /**
     * @throws IllegalStateException when the node would have more than it has; then nothing has
     *     changed
     */
    void give(int node, long devices, Request request) {
        Node all = nodes.get(node);
        Share share = request.share();
        boolean can =
                Long.bitCount(devices) == request.devices()
                        && isOnNode(node, devices)
                        && request.cpu() <= all.cpu() - cpu[node]
                        && request.memory() <= all.memory() - memory[node];
        for (long rest = devices; can && rest != 0; rest &= rest - 1) {
            int device = first[node] + Long.numberOfTrailingZeros(rest);
            Part part = share.part();
            can =
                    part != null
                            ? part.isPlaced() && (part.mask() & ~extras.slices(device)) == 0
                            : share.thousandths() <= WHOLE - free[device]
                                    && (!share.isMoreThanCompute()
                                            || extras.lacks(device, share, deviceMemory(node)));
        }
        check(can, node, request);
        change(node, devices, request, 1);
    }

    private void change(int node, long devices, Request request, int sign) {
        Share share = request.share();
        cpu[node] += sign * request.cpu();
        memory[node] += sign * request.memory();
        if (share.part() != null) {
            changePart(node, device(node, devices), share.part(), sign);
            changed(node);
            return;
        }
        for (long rest = devices; rest != 0; rest &= rest - 1) {
            int device = first[node] + Long.numberOfTrailingZeros(rest);
            wholeOnNode[node] -= free[device] == WHOLE ? 1 : 0;
            free[device] += sign * share.thousandths();
            wholeOnNode[node] += free[device] == WHOLE ? 1 : 0;
            if (share.isMoreThanCompute()) {
                extras.change(device, share, deviceMemory(node), sign);
            }
        }
        freeOnNode[node] += sign * request.demand();
        freeOnAll += (long) sign * request.demand();
        changed(node);
    }

    /** The first part takes the device from those who share; the last one gives it back. */
    private void changePart(int node, int device, Part part, int sign) {
        boolean was = extras.slices(device) != 0;
        extras.changePart(device, part.mask(), deviceMemory(node), -sign);
        boolean is = extras.slices(device) != 0;
        if (was != is) {
            int whole = is ? -1 : 1;
            free[device] += whole * WHOLE;
            freeOnNode[node] += whole * WHOLE;
            wholeOnNode[node] += whole;
            freeOnAll += (long) whole * WHOLE;
        }
    }

    private void changed(int node) {
        version[node]++;
        changed[(int) (changes++ & CHANGES_KEPT - 1)] = node;
    }

    /** The node is again what it was at that version. */
    void undone(int node, long earlier) {
        version[node] = earlier;
    }

    private void check(boolean holds, int node, Request request) {
        if (!holds) {
            throw new IllegalStateException(
                    "the books of node '" + nodes.get(node).name() + "' do not allow " + request);
        }
    }

    /** The same nodes with nothing on them. */
    Cluster empty() {
        return new Cluster(nodes, models, pools, labels);
    }

    /**
     * @throws IllegalStateException where something else is free on the node than in another one
     */
    void compare(Cluster other, int node) {
        same("processors", node, other.cpu[node], cpu[node]);
        same("memory", node, other.memory[node], memory[node]);
        same("devices", node, other.freeOnNode[node], freeOnNode[node]);
        same("free devices", node, other.wholeOnNode[node], wholeOnNode[node]);
        for (int device = first[node]; device < first[node + 1]; device++) {
            same("device", node, other.free[device], free[device]);
            same("device memory", node, other.freeMemory(device), freeMemory(device));
            same("codec", node, other.freeCodec(device), freeCodec(device));
            same("render", node, other.freeRender(device), freeRender(device));
            same("burst", node, other.burst(device), burst(device));
            same("slices", node, other.slices(device), slices(device));
        }
    }

    private void same(String what, int node, int placements, int books) {
        if (placements != books || books < 0) {
            throw new IllegalStateException(
                    "%s of node '%s': %d free by the placements, %d by the books"
                            .formatted(what, nodes.get(node).name(), placements, books));
        }
    }

    /**
     * Becomes what another one is. Both have the same nodes; only those are copied that differ in
     * version.
     */
    public void follow(Cluster other) {
        for (int node = 0; node < version.length; node++) {
            if (version[node] != other.version[node]) {
                copy(other, node);
            }
        }
    }

    private void copy(Cluster other, int node) {
        int from = first[node];
        System.arraycopy(other.free, from, free, from, first[node + 1] - from);
        extras.copy(other.extras, from, first[node + 1]);
        freeOnAll += other.freeOnNode[node] - freeOnNode[node];
        freeOnNode[node] = other.freeOnNode[node];
        wholeOnNode[node] = other.wholeOnNode[node];
        cpu[node] = other.cpu[node];
        memory[node] = other.memory[node];
        pool[node] = other.pool[node];
        labelled[node] = other.labelled[node];
        closed[node] = other.closed[node];
        changed(node);
        version[node] = other.version[node];
    }

    /** How many changes there were. */
    public long changes() {
        return changes;
    }

    /** Whether {@link #changed} still knows what came after the first {@code count} changes. */
    boolean remembers(long count) {
        return changes - count <= CHANGES_KEPT;
    }

    /** The node of the change with that number, from 0. */
    int changed(long number) {
        return changed[(int) (number & CHANGES_KEPT - 1)];
    }
}
