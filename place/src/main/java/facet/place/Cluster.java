package facet.place;

import java.util.Arrays;
import java.util.List;

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
    private final int[] model;
    private final int[] first;
    private final int[] free;
    private final int[] freeOnNode;
    private final int[] wholeOnNode;
    private final int[] cpu;
    private final int[] memory;
    private final int[] changed = new int[CHANGES_KEPT];
    private final int mostCpu;
    private final int mostDevices;
    private long changes;
    private long freeOnAll;

    public Cluster(List<Node> nodes, Models models) {
        this.nodes = List.copyOf(nodes);
        this.models = models;
        int count = nodes.size();
        model = new int[count];
        first = new int[count + 1];
        cpu = new int[count];
        memory = new int[count];
        freeOnNode = new int[count];
        wholeOnNode = new int[count];
        for (int i = 0; i < count; i++) {
            Node node = nodes.get(i);
            model[i] = models.number(node.model());
            first[i + 1] = Math.addExact(first[i], node.devices());
            cpu[i] = node.cpu();
            memory[i] = node.memory();
            freeOnNode[i] = node.devices() * WHOLE;
            wholeOnNode[i] = node.devices();
        }
        free = new int[first[count]];
        Arrays.fill(free, WHOLE);
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

    /** Thousandths of a device. */
    public int free(int device) {
        return free[device];
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
        check(Long.bitCount(devices) == request.devices(), node, request);
        check(request.cpu() <= cpu[node] && request.memory() <= memory[node], node, request);
        for (long rest = devices; rest != 0; rest &= rest - 1) {
            int device = first[node] + Long.numberOfTrailingZeros(rest);
            check(device < first[node + 1] && request.thousandths() <= free[device], node, request);
        }
        change(node, devices, request, -1);
    }

    /**
     * @throws IllegalStateException when the node would have more than it has; then nothing has
     *     changed
     */
    void give(int node, long devices, Request request) {
        Node all = nodes.get(node);
        check(Long.bitCount(devices) == request.devices(), node, request);
        check(
                request.cpu() <= all.cpu() - cpu[node]
                        && request.memory() <= all.memory() - memory[node],
                node,
                request);
        for (long rest = devices; rest != 0; rest &= rest - 1) {
            int device = first[node] + Long.numberOfTrailingZeros(rest);
            check(
                    device < first[node + 1] && request.thousandths() <= WHOLE - free[device],
                    node,
                    request);
        }
        change(node, devices, request, 1);
    }

    private void change(int node, long devices, Request request, int sign) {
        cpu[node] += sign * request.cpu();
        memory[node] += sign * request.memory();
        for (long rest = devices; rest != 0; rest &= rest - 1) {
            int device = first[node] + Long.numberOfTrailingZeros(rest);
            wholeOnNode[node] -= free[device] == WHOLE ? 1 : 0;
            free[device] += sign * request.thousandths();
            wholeOnNode[node] += free[device] == WHOLE ? 1 : 0;
        }
        freeOnNode[node] += sign * request.demand();
        freeOnAll += (long) sign * request.demand();
        changed[(int) (changes++ & CHANGES_KEPT - 1)] = node;
    }

    private void check(boolean holds, int node, Request request) {
        if (!holds) {
            throw new IllegalStateException(
                    "the books of node '" + nodes.get(node).name() + "' do not allow " + request);
        }
    }

    /** How many changes there were. */
    long changes() {
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
