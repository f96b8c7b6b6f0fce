package facet.place;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Clusters and requests for tests: sizes as they are in clusters, in smaller numbers. */
final class Samples {
    /** {@code -Dfacet.seed} tries others. */
    static final long SEED = Long.getLong("facet.seed", 7);

    private static final List<Node> KINDS =
            List.of(
                    new Node("", "G2", 8, 96_000, 393_216),
                    new Node("", "T4", 2, 104_000, 524_288),
                    new Node("", "P100", 2, 16_000, 122_880),
                    new Node("", "V100", 4, 32_000, 131_072),
                    new Node("", "none", 0, 64_000, 262_144));

    private static final int[] SIZES = {1000, 1000, 1000, 810, 470, 320, 650, 230, 160, 50, 1};

    private Samples() {}

    static Cluster cluster(int nodes, SplittableRandom random) {
        List<Node> all = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            Node kind = KINDS.get(random.nextInt(KINDS.size()));
            all.add(new Node("n" + i, kind.model(), kind.devices(), kind.cpu(), kind.memory()));
        }
        return new Cluster(all, new Models());
    }

    static Request request(SplittableRandom random) {
        int cpu = 1000 * random.nextInt(1, 17);
        int memory = 1024 * random.nextInt(1, 33);
        long models = random.nextInt(4) == 0 ? random.nextInt(1, 16) : Models.ANY;
        return switch (random.nextInt(10)) {
            case 0 -> new Request(0, 0, Models.ANY, cpu, memory);
            case 1 -> new Request(2 << random.nextInt(3), 1000, models, cpu, memory);
            case 2 -> new Request(2, SIZES[random.nextInt(SIZES.length)], models, cpu, memory);
            default -> new Request(1, SIZES[random.nextInt(SIZES.length)], models, cpu, memory);
        };
    }
}
