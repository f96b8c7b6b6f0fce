package facet.place;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;

/**
 * Who has what. Every placement is a ticket, a small number; a ticket that was given back is used
 * again. Placements are columns of arrays: there are as many as slices in a cluster. Several may
 * decide over one ledger: a {@link Proposal} names the version of the node that it was made for,
 * and is not entered when the node has changed.
 */
public final class Ledger {
    private static final int FIRST_SIZE = 64;
    private static final int NONE = -1;

    private final Cluster cluster;
    private Job[] jobs = new Job[FIRST_SIZE];
    private int[] nodes = new int[FIRST_SIZE];
    private long[] devices = new long[FIRST_SIZE];
    private boolean[] open = new boolean[FIRST_SIZE];
    private int[] returned = new int[FIRST_SIZE];
    private int returnedCount;
    private int end;

    /** The tickets of a node are a chain, so that they are found without looking at all. */
    private final int[] firstOnNode;

    private int[] next = new int[FIRST_SIZE];
    private int[] previous = new int[FIRST_SIZE];

    public Ledger(Cluster cluster) {
        this.cluster = cluster;
        firstOnNode = new int[cluster.nodes()];
        Arrays.fill(firstOnNode, NONE);
    }

    public Cluster cluster() {
        return cluster;
    }

    /**
     * @param onNode the bits of the node's devices, the first one lowest
     * @return the ticket
     * @throws IllegalStateException when some of it is not free; then nothing has changed
     */
    public int enter(Request request, int node, long onNode) {
        return enter(Job.of(request), node, onNode);
    }

    /** The same for a job that is known. */
    public int enter(Job job, int node, long onNode) {
        Job placed = resolve(job, node, onNode);
        cluster.take(node, onNode, placed.request());
        return note(placed, node, onNode);
    }

    /**
     * What was there before the books were: more of its devices may have been promised to others
     * than anybody would be promised now.
     *
     * @throws IllegalStateException when there is less than that, whoever was promised it
     */
    public int enterAgain(Request request, int node, long onNode) {
        cluster.takeAgain(node, onNode, request);
        return note(Job.of(request), node, onNode);
    }

    private int note(Job placed, int node, long onNode) {
        int ticket = returnedCount > 0 ? returned[--returnedCount] : end++;
        if (ticket == jobs.length) {
            int size = Math.multiplyExact(ticket, 2);
            jobs = Arrays.copyOf(jobs, size);
            nodes = Arrays.copyOf(nodes, size);
            devices = Arrays.copyOf(devices, size);
            open = Arrays.copyOf(open, size);
            returned = Arrays.copyOf(returned, size);
            next = Arrays.copyOf(next, size);
            previous = Arrays.copyOf(previous, size);
        }
        jobs[ticket] = placed;
        nodes[ticket] = node;
        devices[ticket] = onNode;
        open[ticket] = true;
        link(ticket, node);
        return ticket;
    }

    /**
     * Enters a job where it was proposed.
     *
     * @return the ticket; nothing when somebody else was faster, and the node is not what it was or
     *     has no room: look again, and propose anew
     */
    public Optional<Integer> tryEnter(Job job, Proposal where) {
        List<Integer> tickets = tryEnter(List.of(job), List.of(where));
        return tickets.isEmpty() ? Optional.empty() : Optional.of(tickets.getFirst());
    }

    /**
     * The same for jobs that begin together: all are entered, or none.
     *
     * @return their tickets, or none
     */
    public List<Integer> tryEnter(List<Job> all, List<Proposal> where) {
        if (all.size() != where.size()) {
            throw new IllegalArgumentException(
                    all.size() + " jobs and " + where.size() + " proposals");
        }
        for (Proposal each : where) {
            boolean changed =
                    each.version() != Proposal.ANY_VERSION
                            && each.version() != cluster.version(each.node());
            if (changed || cluster.isClosed(each.node())) {
                return List.of();
            }
        }
        List<Integer> tickets = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            Proposal each = where.get(i);
            if (!cluster.canTake(each.node(), each.devices(), all.get(i).request())) {
                tickets.reversed().forEach(this::leave);
                return List.of();
            }
            tickets.add(enter(all.get(i), each.node(), each.devices()));
        }
        return tickets;
    }

    /**
     * @throws IllegalArgumentException when nobody has that ticket, or it was given back already
     */
    public void leave(int ticket) {
        check(ticket);
        cluster.give(nodes[ticket], devices[ticket], jobs[ticket].request());
        open[ticket] = false;
        unlink(ticket, nodes[ticket]);
        returned[returnedCount++] = ticket;
    }

    /** With the slices of a hardware part, if it wants one that fits there. */
    private Job resolve(Job job, int node, long onNode) {
        Request request = job.request();
        if (request.share().part() == null || !cluster.canTake(node, onNode, request)) {
            return job;
        }
        Request placed = cluster.resolve(node, onNode, request);
        return placed.equals(request)
                ? job
                : new Job(job.name(), placed, job.queue(), job.priority(), job.stay());
    }

    private void link(int ticket, int node) {
        int head = firstOnNode[node];
        next[ticket] = head;
        previous[ticket] = NONE;
        if (head != NONE) {
            previous[head] = ticket;
        }
        firstOnNode[node] = ticket;
    }

    private void unlink(int ticket, int node) {
        if (previous[ticket] == NONE) {
            firstOnNode[node] = next[ticket];
        } else {
            next[previous[ticket]] = next[ticket];
        }
        if (next[ticket] != NONE) {
            previous[next[ticket]] = previous[ticket];
        }
    }

    public Placement placement(int ticket) {
        check(ticket);
        return new Placement(ticket, jobs[ticket].request(), nodes[ticket], devices[ticket]);
    }

    public Job job(int ticket) {
        check(ticket);
        return jobs[ticket];
    }

    public int node(int ticket) {
        check(ticket);
        return nodes[ticket];
    }

    /** The bits of its devices on its node. */
    public long devices(int ticket) {
        check(ticket);
        return devices[ticket];
    }

    /** All tickets of a node. Nobody may come or go meanwhile. */
    public void forEachOn(int node, IntConsumer each) {
        for (int ticket = firstOnNode[node]; ticket != NONE; ticket = next[ticket]) {
            each.accept(ticket);
        }
    }

    /** All tickets of a node, the lowest first. */
    public List<Integer> on(int node) {
        List<Integer> tickets = new ArrayList<>();
        forEachOn(node, tickets::add);
        tickets.sort(null);
        return tickets;
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
        Cluster again = cluster.empty();
        int count = 0;
        for (int ticket = 0; ticket < end; ticket++) {
            if (open[ticket]) {
                again.takeAgain(nodes[ticket], devices[ticket], jobs[ticket].request());
            }
        }
        for (int node = 0; node < cluster.nodes(); node++) {
            cluster.compare(again, node);
            for (int ticket = firstOnNode[node]; ticket != NONE; ticket = next[ticket]) {
                if (!open[ticket] || nodes[ticket] != node) {
                    throw new IllegalStateException(
                            "ticket " + ticket + " is not on node " + node + ", but in its chain");
                }
                count++;
            }
        }
        if (count != count()) {
            throw new IllegalStateException(
                    count + " tickets on nodes, and " + count() + " in all");
        }
        if (again.used() != cluster.used()) {
            throw new IllegalStateException(
                    again.used()
                            + " thousandths are used by the placements, "
                            + cluster.used()
                            + " by the books");
        }
    }
}
