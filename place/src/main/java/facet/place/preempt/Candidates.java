package facet.place.preempt;

import facet.place.Cluster;
import facet.place.Ledger;
import facet.place.Request;
import java.util.Arrays;

/**
 * The tickets that may be made to leave, node by node, as columns of arrays: asked for once, looked
 * at often. Nodes are left out on which the request does not fit even if all of them leave.
 */
final class Candidates {
    private static final int FIRST_SIZE = 256;

    private final Ledger ledger;
    private final Victims victims;
    private final Request request;

    private int[] nodes = new int[FIRST_SIZE];
    private int[] begins = new int[FIRST_SIZE + 1];
    private long[] leastCosts = new long[FIRST_SIZE];
    private int nodeCount;

    private int[] tickets = new int[FIRST_SIZE];
    private int[] units = new int[FIRST_SIZE];
    private long[] levels = new long[FIRST_SIZE];
    private long[] costs = new long[FIRST_SIZE];
    private int count;

    private Candidates(Ledger ledger, Victims victims, Request request) {
        this.ledger = ledger;
        this.victims = victims;
        this.request = request;
    }

    static Candidates of(Ledger ledger, Victims victims, Request request) {
        Candidates all = new Candidates(ledger, victims, request);
        for (int node = 0; node < ledger.cluster().nodes(); node++) {
            if (ledger.cluster().suits(node, request)) {
                all.look(node);
            }
        }
        return all;
    }

    private void look(int node) {
        int before = count;
        ledger.forEachOn(node, this::add);
        if (count == before || !couldFit(node, before)) {
            count = before;
            return;
        }
        if (nodeCount == nodes.length) {
            nodes = Arrays.copyOf(nodes, 2 * nodeCount);
            leastCosts = Arrays.copyOf(leastCosts, 2 * nodeCount);
            begins = Arrays.copyOf(begins, 2 * nodeCount + 1);
        }
        long least = Long.MAX_VALUE;
        for (int i = before; i < count; i++) {
            costs[i] = victims.cost(units[i]);
            levels[i] = victims.level(units[i]);
            least = Math.min(least, costs[i]);
        }
        nodes[nodeCount] = node;
        leastCosts[nodeCount] = least;
        begins[nodeCount] = before;
        begins[++nodeCount] = count;
    }

    private void add(int ticket) {
        int unit = victims.unit(ticket);
        if (unit == Victims.NOBODY) {
            return;
        }
        if (count == tickets.length) {
            tickets = Arrays.copyOf(tickets, 2 * count);
            units = Arrays.copyOf(units, 2 * count);
            levels = Arrays.copyOf(levels, 2 * count);
            costs = Arrays.copyOf(costs, 2 * count);
        }
        tickets[count] = ticket;
        units[count++] = unit;
    }

    /** By sums over the node alone; of bursts and hardware parts they say nothing. */
    private boolean couldFit(int node, int first) {
        Cluster cluster = ledger.cluster();
        long compute = cluster.freeOnNode(node);
        long cpu = cluster.cpu(node);
        long memory = cluster.memory(node);
        for (int i = first; i < count; i++) {
            Request held = ledger.job(tickets[i]).request();
            if (held.share().isBeside()) {
                return true;
            }
            compute += held.demand();
            cpu += held.cpu();
            memory += held.memory();
        }
        return request.share().isBeside()
                || compute >= request.demand()
                        && cpu >= request.cpu()
                        && memory >= request.memory();
    }

    int nodes() {
        return nodeCount;
    }

    int node(int index) {
        return nodes[index];
    }

    /** What the cheapest unit of a node costs. */
    long leastCost(int index) {
        return leastCosts[index];
    }

    /** The candidates of a node are from here, up to where those of the next one begin. */
    int begin(int index) {
        return begins[index];
    }

    int ticket(int candidate) {
        return tickets[candidate];
    }

    int unit(int candidate) {
        return units[candidate];
    }

    long level(int candidate) {
        return levels[candidate];
    }

    long cost(int candidate) {
        return costs[candidate];
    }

    /** All levels, the lowest first. */
    long[] levels() {
        return Arrays.stream(levels, 0, count).distinct().sorted().toArray();
    }
}
