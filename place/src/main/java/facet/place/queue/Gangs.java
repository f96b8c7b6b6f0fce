package facet.place.queue;

import facet.place.Cluster;
import facet.place.Gang;
import facet.place.Job;
import facet.place.Placer;
import facet.place.Proposal;
import facet.place.Request;
import facet.place.Trial;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Where all jobs of a gang fit at the same time. Large ones choose first. On one node, if one has
 * room for all; else in one zone; else anywhere, as far as the gang allows that.
 */
final class Gangs {
    private final Placer placer;
    private final Cluster cluster;

    Gangs(Placer placer) {
        this.placer = placer;
        cluster = placer.ledger().cluster();
    }

    /** In the order of its jobs; empty where it does not fit as a whole. */
    List<Proposal> find(Gang gang) {
        if (gang.jobs().size() == 1) {
            return placer.propose(gang.jobs().getFirst().request()).stream().toList();
        }
        List<Proposal> found = onNode(gang);
        if (found.isEmpty() && gang.near() != Gang.Near.NODE) {
            found = inZone(gang);
        }
        return found.isEmpty() && gang.near() == Gang.Near.ANYWHERE
                ? each(gang, placer::propose)
                : found;
    }

    /** The fullest node that has room for all. */
    private List<Proposal> onNode(Gang gang) {
        long demand = gang.demand();
        long cpu = gang.jobs().stream().mapToLong(each -> each.request().cpu()).sum();
        long memory = gang.jobs().stream().mapToLong(each -> each.request().memory()).sum();
        List<Integer> possible =
                IntStream.range(0, cluster.nodes())
                        .filter(node -> demand <= cluster.freeOnNode(node))
                        .filter(node -> cpu <= cluster.cpu(node) && memory <= cluster.memory(node))
                        .boxed()
                        .sorted(Comparator.comparingInt(cluster::freeOnNode))
                        .toList();
        for (int node : possible) {
            List<Proposal> found = each(gang, request -> placer.proposeOn(node, request));
            if (!found.isEmpty()) {
                return found;
            }
        }
        return List.of();
    }

    private List<Proposal> inZone(Gang gang) {
        for (int i = 0; i < cluster.zones() && cluster.zones() > 1; i++) {
            int zone = i;
            List<Proposal> found =
                    each(
                            gang,
                            request -> placer.propose(request, node -> cluster.zone(node) == zone));
            if (!found.isEmpty()) {
                return found;
            }
        }
        // All nodes are in the one zone.
        return cluster.zones() == 1 ? each(gang, placer::propose) : List.of();
    }

    private List<Proposal> each(Gang gang, Function<Request, Optional<Proposal>> where) {
        List<Job> jobs = gang.jobs();
        Proposal[] found = new Proposal[jobs.size()];
        try (Trial trial = new Trial(placer.ledger())) {
            for (int i : largestFirst(gang)) {
                Optional<Proposal> place = where.apply(jobs.get(i).request());
                if (place.isEmpty()) {
                    return List.of();
                }
                trial.with(place.get());
                // The trial itself changes the node; whoever enters all of it is alone.
                found[i] = place.get().anyVersion();
            }
        }
        return new ArrayList<>(List.of(found));
    }

    static List<Integer> largestFirst(Gang gang) {
        return IntStream.range(0, gang.jobs().size())
                .boxed()
                .sorted(Comparator.comparingInt(i -> -gang.jobs().get(i).request().demand()))
                .toList();
    }
}
