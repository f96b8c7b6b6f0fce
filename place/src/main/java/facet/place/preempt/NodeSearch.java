package facet.place.preempt;

import facet.place.Cluster;
import facet.place.Ledger;
import facet.place.Request;
import facet.place.Share;
import facet.place.Trial;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cheapest units of one node without which a request fits there. All are thought away first;
 * then each comes back, the most expensive first, unless the request no longer fits. That is a set
 * of which nobody can be spared; from there all other sets are tried that could be cheaper, up to a
 * number of steps.
 */
final class NodeSearch {
    /**
     * Then the best set so far is taken: nobody in it can be spared, though another may be less.
     */
    private static final int MOST_STEPS = 50_000;

    private record Unit(int number, long cost, List<Integer> tickets) {}

    private static final Comparator<Unit> DEAREST_FIRST =
            Comparator.comparingLong(Unit::cost).reversed().thenComparingInt(Unit::number);

    /**
     * @param cost of the units together
     */
    record Found(int node, List<Integer> units, long cost) {}

    private final Ledger ledger;
    private final Cluster cluster;
    private final Victims victims;
    private final Request request;
    private final Candidates candidates;
    private final int[] compute = new int[Cluster.MOST_DEVICES];
    private final int[] memory = new int[Cluster.MOST_DEVICES];
    private final int[] codec = new int[Cluster.MOST_DEVICES];
    private final int[] render = new int[Cluster.MOST_DEVICES];

    /** Where hardware parts or bursts are about: the books themselves say what fits. */
    private @Nullable Trial trial;

    private int node;
    private int count;
    private int size;
    private int cpu;
    private int hostMemory;
    private int steps;
    private List<Unit> units = List.of();
    private final List<Integer> chosen = new ArrayList<>();
    private List<Integer> best = List.of();
    private long bestCost;
    private int bestCount;

    NodeSearch(Ledger ledger, Victims victims, Request request) {
        this.ledger = ledger;
        cluster = ledger.cluster();
        this.victims = victims;
        this.request = request;
        candidates = Candidates.of(ledger, victims, request);
    }

    /** The nodes on which it may fit; a node is its number there. */
    Candidates candidates() {
        return candidates;
    }

    /** Whether the request fits when all units up to that level have left. */
    boolean isPossible(int index, long level, List<Integer> already) {
        try {
            return prepare(index, level, already) && fits();
        } finally {
            close();
        }
    }

    /**
     * @param already units that leave anyway, and are thought away
     * @param below a set that costs as much, with as many units, is of no use
     * @return a set of units; without units when there is none
     */
    Found cheapest(int index, long level, List<Integer> already, long below, int count) {
        bestCost = below;
        bestCount = count;
        best = List.of();
        steps = 0;
        chosen.clear();
        try {
            if (prepare(index, level, already) && fits()) {
                chosen.addAll(already);
                decide(0, 0, already.size());
            }
        } finally {
            close();
        }
        return new Found(node, best, bestCost);
    }

    private void close() {
        if (trial != null) {
            trial.close();
            trial = null;
        }
    }

    private boolean prepare(int index, long level, List<Integer> already) {
        node = candidates.node(index);
        int first = cluster.first(node);
        boolean divided = request.share().isBeside();
        for (int device = first; device < cluster.end(node); device++) {
            divided |= cluster.slices(device) != 0;
        }
        trial = divided ? new Trial(ledger) : null;
        count = cluster.end(node) - first;
        size = cluster.deviceMemory(node);
        for (int i = 0; i < count; i++) {
            compute[i] = cluster.free(first + i);
            memory[i] = cluster.freeMemory(first + i);
            codec[i] = cluster.freeCodec(first + i);
            render[i] = cluster.freeRender(first + i);
        }
        cpu = cluster.cpu(node);
        hostMemory = cluster.memory(node);
        List<Unit> all = new ArrayList<>();
        for (int i = candidates.begin(index); i < candidates.begin(index + 1); i++) {
            int unit = candidates.unit(i);
            if (candidates.level(i) <= level && !already.contains(unit)) {
                join(all, unit, candidates.cost(i), candidates.ticket(i));
            }
        }
        all.sort(DEAREST_FIRST);
        units = all;
        all.forEach(each -> change(each, 1));
        return !all.isEmpty();
    }

    private static void join(List<Unit> all, int number, long cost, int ticket) {
        for (Unit each : all) {
            if (each.number() == number) {
                each.tickets().add(ticket);
                return;
            }
        }
        List<Integer> tickets = new ArrayList<>(1);
        tickets.add(ticket);
        all.add(new Unit(number, cost, tickets));
    }

    private void change(Unit unit, int sign) {
        for (int ticket : unit.tickets()) {
            if (trial != null) {
                if (sign > 0) {
                    trial.without(ticket);
                } else {
                    trial.back(ticket);
                }
                continue;
            }
            Request held = ledger.job(ticket).request();
            Share share = held.share();
            cpu += sign * held.cpu();
            hostMemory += sign * held.memory();
            for (long rest = ledger.devices(ticket); rest != 0; rest &= rest - 1) {
                int device = Long.numberOfTrailingZeros(rest);
                compute[device] += sign * share.thousandths();
                memory[device] += sign * memory(share);
                codec[device] += sign * share.codec();
                render[device] += sign * share.render();
            }
        }
    }

    private int memory(Share share) {
        return share.memory() == Share.ALL_MEMORY ? size : share.memory();
    }

    private boolean fits() {
        if (trial != null) {
            return cluster.fits(node, request);
        }
        if (request.cpu() > cpu || request.memory() > hostMemory) {
            return false;
        }
        Share share = request.share();
        int enough = 0;
        for (int i = 0; i < count && enough < request.devices(); i++) {
            boolean has =
                    share.thousandths() <= compute[i]
                            && memory(share) <= memory[i]
                            && share.codec() <= codec[i]
                            && share.render() <= render[i];
            enough += has ? 1 : 0;
        }
        return enough >= request.devices();
    }

    /** The units before {@code index} stay or were chosen; the others are thought away. */
    private void decide(int index, long cost, int number) {
        if (cost > bestCost || cost == bestCost && number >= bestCount) {
            return;
        }
        if (index == units.size()) {
            bestCost = cost;
            bestCount = number;
            best = List.copyOf(chosen);
            return;
        }
        if (++steps > MOST_STEPS && !best.isEmpty()) {
            return;
        }
        Unit unit = units.get(index);
        change(unit, -1);
        if (fits()) {
            decide(index + 1, cost, number);
        }
        change(unit, 1);
        chosen.add(unit.number());
        if (victims.allows(chosen)) {
            decide(index + 1, cost + unit.cost(), number + 1);
        }
        chosen.removeLast();
    }
}
