package facet.place;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is kept from one request to the next is what would be computed anew. */
final class CostsTest {
    @ParameterizedTest
    @ValueSource(strings = {"best-fit", "packing", "dot-product", "spreading", "fgd"})
    void chosenNodeIsTheCheapestOfAll(String name) {
        SplittableRandom random = new SplittableRandom(Samples.SEED);
        Cluster cluster = Samples.cluster(30, random);
        List<Request> kinds = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            kinds.add(Samples.request(random));
        }
        Policy policy = Policies.named(name);
        Placer placer = new Placer(cluster, policy, kinds, 1);
        Costs anew = new Costs(cluster, policy.scores(), Mix.given(policy.terms(), kinds));
        List<Placement> there = new ArrayList<>();
        int compared = 0;
        for (int event = 0; event < 3000; event++) {
            if (random.nextInt(3) > 0 || there.isEmpty()) {
                Request request = kinds.get(random.nextInt(kinds.size()));
                double[] costs = new double[cluster.nodes()];
                double least = Double.POSITIVE_INFINITY;
                for (int node = 0; node < costs.length; node++) {
                    costs[node] = anew.ofNode(node, request);
                    least = Math.min(least, costs[node]);
                }
                Optional<Placement> place = placer.place(request);
                assertEquals(least < Double.POSITIVE_INFINITY, place.isPresent());
                if (place.isPresent()) {
                    assertEquals(least, costs[place.get().node()], "event " + event);
                    there.add(place.get());
                    compared++;
                }
            } else {
                placer.leave(there.remove(random.nextInt(there.size())).ticket());
            }
        }
        assertTrue(compared > 500, compared + " were compared");
    }
}
