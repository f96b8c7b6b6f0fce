package facet.device.cpu.random;

import facet.device.Launch.Dim;

import java.util.SplittableRandom;

/**
 * Random kernels whose result does not depend on the order in which threads run. The same seed
 * gives the same kernel.
 *
 * <pre>
 * memory:   0 input of 64 words, never written
 *         256 sums of all blocks, one operation for each word
 *         512 a table of 1024 words, never written
 *        4608 eight words for each thread: the hash of its registers, then its own cells
 *             then planes of one word for each thread
 * shared: cells is some planes of one word for each thread
 * </pre>
 */
final class KernelGenerator {
    static final int PLANES = 8;
    static final int PLANE_BYTES = 1024;
    static final int WARP_PLANE = 1;
    static final int OWN_PLANE = 2;
    static final int DESK_PLANE = 3;
    static final int FIRST_SPARE_PLANE = 4;
    static final int TABLE = 512;
    static final int OWN = TABLE + 4096;
    static final int DENSE_PLANES = 2;

    private static final int[] THREADS = {1, 7, 31, 32, 33, 48, 64, 65, 96, 100, 128, 200, 256};

    private final Draw draw;
    private final int threads;
    private final boolean exits;
    private final Straight straight;
    private final Barriers barriers;
    private final Warps warps;
    private final Sharing sharing;
    private final Flow flow;
    private final Calls calls;
    private int budget;

    private KernelGenerator(SplittableRandom random, int threads, int count, boolean meets) {
        this.draw = new Draw(random, 3 + random.nextInt(random.nextInt(4) == 0 ? 40 : 8));
        this.threads = threads;
        this.exits = draw.chance(3);
        this.straight = new Straight(draw, count);
        this.barriers = new Barriers(draw, straight, threads, exits);
        this.warps = new Warps(draw, straight);
        this.sharing = new Sharing(draw, meets);
        this.flow = new Flow(draw, straight, this::body);
        this.calls = new Calls(draw, straight, exits, meets);
        this.budget = 6 + draw.below(draw.chance(4) ? 80 : 30);
    }

    static GeneratedKernel generate(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int threads = THREADS[random.nextInt(THREADS.length)];
        Dim block =
                threads % 2 == 0 && random.nextInt(4) == 0
                        ? Dim.of(threads / 2, 2)
                        : Dim.of(threads);
        boolean meets = random.nextInt(4) != 0;
        Dim grid = Dim.of(1 + random.nextInt(threads > 128 ? 2 : 4));
        KernelGenerator generator = new KernelGenerator(random, threads, threads * grid.x(), meets);
        Place start = meets ? Place.top() : Place.top().alone("end");
        Node.Group top = Node.Group.of();
        while (generator.budget > 0) {
            top.add(generator.statement(start));
        }
        if (generator.draw.chance(20)) {
            top.add(generator.straight.run(1000 + generator.draw.below(1000)));
            top.add(generator.statement(start));
        }
        Frame frame =
                new Frame(generator.draw, generator.calls, threads, threads * grid.x(), meets);
        return new GeneratedKernel(seed, grid, block, frame.before(), top, frame.after());
    }

    private Node.Group body(Place place) {
        Node.Group group = Node.Group.of();
        int count = 1 + draw.below(3);
        for (int i = 0; i < count; i++) {
            group.add(statement(place));
        }
        return group;
    }

    private Node.Group statement(Place place) {
        budget--;
        boolean flat = place.depth() > 3 || budget < 0;
        String mask = place.mask();
        return switch (draw.below(12)) {
            case 0, 1, 2 -> flat ? straight.statement() : flow.statement(place);
            case 3, 4 -> place.uniform() ? barriers.statement(place) : straight.statement();
            case 5, 6 -> mask != null ? warps.statement(mask) : straight.statement();
            case 7 -> sharing.statement();
            case 8 -> draw.chance(2) ? calls.statement(place) : straight.statement();
            case 9 -> departure(place);
            default -> straight.statement();
        };
    }

    /** Some threads exit, or jump out of what they are in. */
    private Node.Group departure(Place place) {
        Node.Group group = Node.Group.of();
        if (!place.escapes().isEmpty() && draw.chance(2)) {
            String predicate = straight.condition(group, 2);
            return group.add("@" + predicate + " bra " + draw.one(place.escapes()) + ";");
        }
        if (!exits) {
            return straight.statement();
        }
        String predicate = straight.condition(group, 4);
        group.add("@" + predicate + " st.global.u32 [%own+4], " + draw.variable() + ";");
        return group.add("@" + predicate + draw.one(" exit;", " ret;"));
    }
}
