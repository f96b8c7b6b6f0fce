package facet.place;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class MixTest {
    private static final Mix.Terms ALL = new Mix.Terms(1, 0);

    /** The definition, word by word: what each request of the mix cannot use, times its part. */
    private static double fragmentation(Cluster cluster, int node, List<Mix.Entry> mix) {
        double sum = 0;
        for (Mix.Entry each : mix) {
            Request request = each.request();
            int enough = 0;
            int usable = 0;
            for (int device = cluster.first(node); device < cluster.end(node); device++) {
                if (cluster.free(device) >= request.thousandths()) {
                    enough++;
                    usable += cluster.free(device);
                }
            }
            boolean fits =
                    request.devices() > 0
                            && request.accepts(cluster.model(node))
                            && request.cpu() <= cluster.cpu(node)
                            && enough >= request.devices();
            sum += each.part() * (cluster.freeOnNode(node) - (fits ? usable : 0));
        }
        return sum;
    }

    @Test
    void tableIsTheDefinition() {
        SplittableRandom random = new SplittableRandom(Samples.SEED);
        Cluster cluster = Samples.cluster(40, random);
        List<Request> requests = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            requests.add(Samples.request(random));
        }
        Mix mix = Mix.given(ALL, requests);
        Placer placer = new Placer(cluster, Policies.named("random"), List.of(), 3);
        Score gradient = new FragmentationGradient(mix);
        for (int i = 0; i < 300; i++) {
            Request request = Samples.request(random);
            double[] before = new double[cluster.nodes()];
            for (int node = 0; node < before.length; node++) {
                before[node] = fragmentation(cluster, node, mix.entries());
                double table = mix.table(cluster.model(node)).fragmentation(cluster, node);
                assertEquals(before[node], table, 1e-6);
            }
            // What the score foretells is what has happened afterwards.
            double[][] costs = new double[cluster.nodes()][Cluster.MOST_DEVICES];
            for (int node = 0; node < before.length; node++) {
                if (Fit.of(cluster, node, request) == Fit.FITS) {
                    for (int device = cluster.first(node); device < cluster.end(node); device++) {
                        if (cluster.free(device) < request.thousandths()) {
                            continue;
                        }
                        costs[node][device - cluster.first(node)] =
                                gradient.cost(
                                        cluster,
                                        node,
                                        request,
                                        chosen(cluster, node, request, device));
                    }
                }
            }
            placer.place(request)
                    .filter(place -> request.devices() > 0)
                    .ifPresent(place -> {
                        int device = Long.numberOfTrailingZeros(place.devices());
                        double after = fragmentation(cluster, place.node(), mix.entries());
                        assertEquals(
                                after - before[place.node()],
                                1000 * costs[place.node()][device],
                                1e-6);
                    });
        }
    }

    /** The device and, of a request for several, the next ones that have enough. */
    private static long chosen(Cluster cluster, int node, Request request, int device) {
        long devices = 0;
        for (int i = device; i < cluster.end(node); i++) {
            if (cluster.free(i) >= request.thousandths()
                    && Long.bitCount(devices) < request.devices()) {
                devices |= 1L << i - cluster.first(node);
            }
        }
        return devices;
    }

    @Test
    void rareRequestsAreLeftOut() {
        Request often = new Request(1, 500, Models.ANY, 1, 0);
        Request rare = new Request(1, 100, Models.ANY, 1, 0);
        List<Request> requests = new ArrayList<>();
        for (int i = 0; i < 19; i++) {
            requests.add(often);
        }
        requests.add(rare);
        assertEquals(2, Mix.given(ALL, requests).entries().size());
        List<Mix.Entry> some = Mix.given(new Mix.Terms(0.95, 0), requests).entries();
        assertEquals(List.of(new Mix.Entry(often, 1)), some);
    }

    @Test
    void largeRequestsCountMoreWhereDemandDoes() {
        Request large = new Request(4, 1000, Models.ANY, 1, 0);
        Request small = new Request(1, 250, Models.ANY, 1, 0);
        List<Mix.Entry> mix =
                Mix.given(new Mix.Terms(1, 1), List.of(large, small, small)).entries();
        double part =
                mix.stream().filter(each -> each.request().equals(large)).findFirst().get().part();
        assertEquals(4 / 4.5, part, 1e-9);
    }

    @Test
    void learnsWhatArrivesAndForgetsIt() {
        Mix mix = Mix.learned(ALL);
        Request first = new Request(1, 500, Models.ANY, 1, 0);
        Request later = new Request(1, 100, Models.ANY, 1, 0);
        int edition = mix.edition();
        for (int i = 0; i < 1000; i++) {
            mix.arrived(first);
        }
        assertNotEquals(edition, mix.edition());
        assertTrue(mix.edition() < 40, mix.edition() + " editions cost much");
        assertEquals(500, mix.table(0).usable(mix.table(0).cpuRank(1), 500));
        assertEquals(0, mix.table(0).usable(mix.table(0).cpuRank(0), 500));
        for (int i = 0; i < 1_000_000; i++) {
            mix.arrived(later);
        }
        assertEquals(List.of(new Mix.Entry(later, 1)), mix.entries());
    }

    @Test
    void manyKindsAreNotAllKept() {
        Mix mix = Mix.learned(ALL);
        Request often = new Request(1, 500, Models.ANY, 1, 0);
        for (int i = 0; i < 200_000; i++) {
            mix.arrived(new Request(1, 1 + i % 1000, Models.ANY, i, 0));
            mix.arrived(often);
        }
        List<Mix.Entry> entries = mix.entries();
        assertEquals(512, entries.size());
        assertEquals(often, entries.getFirst().request());
    }

    @Test
    void givenMixDoesNotLearn() {
        Mix mix = Mix.given(ALL, List.of(new Request(1, 500, Models.ANY, 1, 0)));
        for (int i = 0; i < 1000; i++) {
            mix.arrived(new Request(1, 100, Models.ANY, 1, 0));
        }
        assertEquals(1, mix.entries().size());
        assertEquals(0, mix.edition());
    }
}
