package facet.sim.shape;

import facet.place.Cluster;
import facet.place.Models;
import facet.place.Node;
import facet.place.Placement;
import facet.place.Placer;
import facet.place.Policies;
import facet.place.Request;
import facet.place.Traits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Devices in nodes of eight, and who was placed on which. */
final class Devices {
    private static final int ON_A_NODE = 8;

    private final Cluster cluster;
    private final Placer placer;
    private final List<List<Integer>> on = new ArrayList<>();

    /**
     * @param promised thousandths of a device that may be promised, bursts included
     */
    Devices(int count, int promised, long seed) {
        List<Node> nodes = new ArrayList<>();
        for (int first = 0; first < count; first += ON_A_NODE) {
            int some = Math.min(ON_A_NODE, count - first);
            nodes.add(
                    new Node("n" + nodes.size(), "gpu", some, 1_000_000, 1_000_000)
                            .with(Traits.NONE.withPromised(promised)));
        }
        cluster = new Cluster(nodes, new Models());
        placer = new Placer(cluster, Policies.named(Policies.OURS), List.of(), seed);
        for (int i = 0; i < count; i++) {
            on.add(new ArrayList<>());
        }
    }

    /** Whether there was a place for it. */
    boolean place(int who, Request request) {
        Optional<Placement> place = placer.place(request);
        place.ifPresent(where -> {
            int device = cluster.first(where.node()) + Long.numberOfTrailingZeros(where.devices());
            on.get(device).add(who);
        });
        return place.isPresent();
    }

    /** Who is on each device. */
    List<List<Integer>> on() {
        placer.ledger().audit();
        return on;
    }
}
