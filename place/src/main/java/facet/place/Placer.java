package facet.place;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;

/**
 * The pipeline: which nodes fit ({@link Fit}), what each place costs ({@link Costs}), which node
 * and device are taken, and why nothing is, in words ({@link Explanation}).
 */
public final class Placer {
    /** So many kinds of requests have a ranking; where there are more, all begin anew. */
    private static final int RANKINGS_KEPT = 4096;

    /** Bytes of all rankings together. */
    private static final long RANKINGS_BYTES = 256L << 20;

    private final Cluster cluster;
    private final Ledger ledger;
    private final Policy policy;
    private final Mix mix;
    private final Costs costs;
    private final SplittableRandom random;
    private final Map<Request, Ranking> rankings = new HashMap<>();
    private final int rankingsKept;

    /**
     * @param given of what the mix is, if the policy does not learn it
     * @param seed of what the policy leaves to chance
     */
    public Placer(Cluster cluster, Policy policy, Iterable<Request> given, long seed) {
        this(new Ledger(cluster), policy, given, seed);
    }

    /** Over a ledger in which others enter placements too. */
    public Placer(Ledger ledger, Policy policy, Iterable<Request> given, long seed) {
        this.cluster = ledger.cluster();
        this.policy = policy;
        this.ledger = ledger;
        mix = policy.learns() ? Mix.learned(policy.terms()) : Mix.given(policy.terms(), given);
        costs = new Costs(cluster, policy.scores(), mix);
        random = new SplittableRandom(seed);
        rankingsKept =
                Math.clamp(
                        RANKINGS_BYTES / Double.BYTES / Math.max(1, cluster.nodes()),
                        1,
                        RANKINGS_KEPT);
    }

    public Ledger ledger() {
        return ledger;
    }

    /** Takes the best place; nothing where the request fits nowhere. */
    public Optional<Placement> place(Request request) {
        mix.arrived(request);
        return again(request);
    }

    /** For a request that arrived before and found no place: the mix does not count it twice. */
    public Optional<Placement> again(Request request) {
        Optional<Proposal> best = propose(request);
        return best.map(where -> {
            // A hardware part has its slices now.
            return ledger.placement(ledger.enter(request, where.node(), where.devices()));
        });
    }

    /** The mix learns of a request that is not to be placed now, or not here. */
    public void arrived(Request request) {
        mix.arrived(request);
    }

    /** The best place, without taking it; nothing where the request fits nowhere. */
    public Optional<Proposal> propose(Request request) {
        Ranking ranking = ranking(request);
        double least = ranking.least();
        if (least == Double.POSITIVE_INFINITY) {
            return Optional.empty();
        }
        int skip = policy.nodes() == Policy.Tie.RANDOM ? random.nextInt(ranking.count(least)) : 0;
        return Optional.of(proposal(request, ranking.node(least, skip)));
    }

    /** The best place on nodes of one kind alone. */
    public Optional<Proposal> propose(Request request, IntPredicate nodes) {
        int node = ranking(request).cheapest(nodes);
        return node < 0 ? Optional.empty() : Optional.of(proposal(request, node));
    }

    /** The best place on one node. */
    public Optional<Proposal> proposeOn(int node, Request request) {
        return Fit.of(cluster, node, request) == Fit.FITS
                ? Optional.of(proposal(request, node))
                : Optional.empty();
    }

    private Proposal proposal(Request request, int node) {
        return new Proposal(request, node, devices(node, request), cluster.version(node));
    }

    public void leave(int ticket) {
        ledger.leave(ticket);
    }

    /** Where the request would fit and where not, and why. */
    public Explanation explain(Request request) {
        return Explanation.of(cluster, request);
    }

    /** What one node lacks for it, in words; nothing where it fits. */
    public Optional<String> lacks(int node, Request request) {
        Fit fit = Fit.of(cluster, node, request);
        return fit == Fit.FITS
                ? Optional.empty()
                : Optional.of(fit.words(request, true, fit.there(cluster, node, request)));
    }

    /** Where the request would go, the best place first, one for each node. */
    public List<Choice> choices(Request request, int most) {
        Ranking ranking = ranking(request);
        List<Choice> choices = new ArrayList<>();
        for (int node : ranking.best(most)) {
            long devices = devices(node, request);
            choices.add(
                    new Choice(
                            node,
                            devices,
                            cluster.freeOnNode(node),
                            costs.of(node, request, devices),
                            costs.parts(node, request, devices)));
        }
        return choices;
    }

    private Ranking ranking(Request request) {
        Ranking ranking = rankings.get(request);
        if (ranking == null) {
            if (rankings.size() >= rankingsKept) {
                rankings.clear();
            }
            ranking = new Ranking(cluster.nodes());
            rankings.put(request, ranking);
        }
        ranking.refresh(cluster, costs, request, mix.edition());
        return ranking;
    }

    private long devices(int node, Request request) {
        int first = cluster.first(node);
        return request.devices() == 1 && request.isPart()
                ? 1L << part(node, request) - first
                : costs.several(node, request);
    }

    private int part(int node, Request request) {
        int best = -1;
        int equals = 0;
        double least = Double.POSITIVE_INFINITY;
        for (int device = cluster.first(node); device < cluster.end(node); device++) {
            if (!cluster.has(node, device, request.share())) {
                continue;
            }
            double cost = costs.of(node, request, 1L << device - cluster.first(node));
            if (cost < least) {
                best = device;
                least = cost;
                equals = 1;
            } else if (cost == least && isBetter(device, best, ++equals)) {
                best = device;
            }
        }
        return best;
    }

    /**
     * Of two devices with equal cost.
     *
     * @param equals how many there were up to this one
     */
    private boolean isBetter(int device, int than, int equals) {
        return switch (policy.devices()) {
            case FIRST -> false;
            case TIGHT -> cluster.free(device) < cluster.free(than);
            case RANDOM -> random.nextInt(equals) == 0;
        };
    }
}
