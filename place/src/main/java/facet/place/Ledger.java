package facet.place;

import java.util.Arrays;

/**
 * Who has what. Every placement is a ticket, a small number; a ticket that was given back is used
 * again. Placements are columns of arrays: there are as many as slices in a cluster.
 */
public final class Ledger {
    private static final int FIRST_SIZE = 64;

    private final Cluster cluster;
    private Request[] requests = new Request[FIRST_SIZE];
    private int[] nodes = new int[FIRST_SIZE];
    private long[] devices = new long[FIRST_SIZE];
    private boolean[] open = new boolean[FIRST_SIZE];
    private int[] returned = new int[FIRST_SIZE];
    private int returnedCount;
    private int end;

    public Ledger(Cluster cluster) {
        this.cluster = cluster;
    }

    /**
     * @param onNode the bits of the node's devices, the first one lowest
     * @return the ticket
     * @throws IllegalStateException when some of it is not free; then nothing has changed
     */
    public int enter(Request request, int node, long onNode) {
        cluster.take(node, onNode, request);
        int ticket = returnedCount > 0 ? returned[--returnedCount] : end++;
        if (ticket == requests.length) {
            int size = Math.multiplyExact(ticket, 2);
            requests = Arrays.copyOf(requests, size);
            nodes = Arrays.copyOf(nodes, size);
            devices = Arrays.copyOf(devices, size);
            open = Arrays.copyOf(open, size);
            returned = Arrays.copyOf(returned, size);
        }
        requests[ticket] = request;
        nodes[ticket] = node;
        devices[ticket] = onNode;
        open[ticket] = true;
        return ticket;
    }

    /**
     * @throws IllegalArgumentException when nobody has that ticket, or it was given back already
     */
    public void leave(int ticket) {
        check(ticket);
        cluster.give(nodes[ticket], devices[ticket], requests[ticket]);
        open[ticket] = false;
        returned[returnedCount++] = ticket;
    }

    public Placement placement(int ticket) {
        check(ticket);
        return new Placement(ticket, requests[ticket], nodes[ticket], devices[ticket]);
    }

    /** How many there are. */
    public int count() {
        return end - returnedCount;
    }

    private void check(int ticket) {
        if (ticket < 0 || ticket >= end || !open[ticket]) {
            throw new IllegalArgumentException("there is no placement " + ticket);
        }
    }

    /**
     * Adds up all placements and compares with what the cluster says is free.
     *
     * @throws IllegalStateException where they differ
     */
    public void audit() {
        int[] free = new int[cluster.devices()];
        Arrays.fill(free, Cluster.WHOLE);
        int[] cpu = new int[cluster.nodes()];
        int[] memory = new int[cluster.nodes()];
        for (int ticket = 0; ticket < end; ticket++) {
            if (open[ticket]) {
                int node = nodes[ticket];
                cpu[node] += requests[ticket].cpu();
                memory[node] += requests[ticket].memory();
                for (long rest = devices[ticket]; rest != 0; rest &= rest - 1) {
                    free[cluster.first(node) + Long.numberOfTrailingZeros(rest)] -=
                            requests[ticket].thousandths();
                }
            }
        }
        long freeOnAll = 0;
        for (int node = 0; node < cluster.nodes(); node++) {
            same("processors", node, cluster.node(node).cpu() - cpu[node], cluster.cpu(node));
            same("memory", node, cluster.node(node).memory() - memory[node], cluster.memory(node));
            int sum = 0;
            int whole = 0;
            for (int device = cluster.first(node); device < cluster.end(node); device++) {
                same("device", node, free[device], cluster.free(device));
                sum += free[device];
                whole += free[device] == Cluster.WHOLE ? 1 : 0;
            }
            same("devices", node, sum, cluster.freeOnNode(node));
            same("free devices", node, whole, cluster.wholeOnNode(node));
            freeOnAll += sum;
        }
        if (freeOnAll != cluster.capacity() - cluster.used()) {
            throw new IllegalStateException(
                    freeOnAll + " thousandths are free, " + cluster.used() + " said to be used");
        }
    }

    private void same(String what, int node, int placements, int books) {
        if (placements != books || books < 0) {
            throw new IllegalStateException(
                    "%s of node '%s': %d free by the placements, %d by the books"
                            .formatted(what, cluster.node(node).name(), placements, books));
        }
    }
}
