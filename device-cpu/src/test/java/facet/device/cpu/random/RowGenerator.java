package facet.device.cpu.random;

import facet.device.Launch.Dim;

import java.util.SplittableRandom;

/**
 * Random kernels of the kind that a compiler runs with neighbouring threads as vector lanes: mostly
 * 32-bit arithmetic, rows of memory, loops that all threads take alike, and now and then a place
 * where the lanes part.
 */
final class RowGenerator {
    private static final int[] WIDTHS = {16, 32, 48, 64, 96, 128};

    private final Draw draw;
    private final boolean meets;
    private final boolean exits;
    private final RowStatements statements;
    private final Narrow narrow;
    private final Straight straight;
    private final Warps warps;
    private final Barriers barriers;
    private int budget;

    private RowGenerator(SplittableRandom random, int threads, int count) {
        this.draw = new Draw(random, 3 + random.nextInt(6));
        this.meets = draw.chance(2);
        this.exits = draw.chance(3);
        this.statements = new RowStatements(draw, threads, count);
        this.narrow = new Narrow(draw);
        this.straight = new Straight(draw, count);
        this.warps = new Warps(draw, straight);
        this.barriers = new Barriers(draw, straight, threads, exits);
        this.budget = 5 + draw.below(35);
    }

    static GeneratedKernel generate(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int width = WIDTHS[random.nextInt(WIDTHS.length)];
        Dim block = width <= 64 && random.nextInt(4) == 0 ? Dim.of(width, 2) : Dim.of(width);
        Dim grid = Dim.of(1 + random.nextInt(3));
        int threads = (int) block.count();
        RowGenerator generator = new RowGenerator(random, threads, threads * grid.x());
        Node.Group top = Node.Group.of();
        Place start = generator.meets ? Place.top() : Place.top().alone("end");
        while (generator.budget > 0) {
            top.add(generator.statement(start));
        }
        RowFrame frame = new RowFrame(generator.draw, threads, threads * grid.x(), generator.meets);
        return new GeneratedKernel(seed, grid, block, frame.before(), top, frame.after());
    }

    private Node.Group body(Place place) {
        Node.Group group = Node.Group.of();
        int count = 1 + draw.below(4);
        for (int i = 0; i < count; i++) {
            group.add(statement(place));
        }
        return group;
    }

    private Node.Group statement(Place place) {
        budget--;
        boolean flat = place.depth() > 3 || budget < 0;
        boolean top = place.loops() == 0;
        return switch (draw.below(24)) {
            case 0, 1, 2 -> flat ? statements.arithmetic() : loop(place);
            case 3 -> flat ? statements.arithmetic() : branch(place);
            case 4, 20, 21 -> flat || !top ? statements.arithmetic() : loneBranch(place);
            case 5 -> place.uniform() ? statements.exchange() : statements.access();
            case 6 ->
                    place.uniform() && draw.chance(3)
                            ? barriers.statement(place)
                            : statements.access();
            case 7 ->
                    place.mask() != null && top && draw.chance(3)
                            ? warps.statement(Place.ALL)
                            : statements.number();
            case 8 -> exits && top ? exit() : statements.number();
            case 9, 10, 11 -> statements.access();
            case 12, 13, 14, 15 -> statements.number();
            case 16, 17, 18 -> statements.lockstep();
            case 19 -> narrow.statement();
            default -> statements.arithmetic();
        };
    }

    /**
     * As many times as a uniform value says; in a place for one thread also as it hoped was
     * uniform.
     */
    private Node.Group loop(Place place) {
        Node.Group group = Node.Group.of();
        String trips = draw.temporary();
        String counter = draw.temporary();
        String done = draw.predicate();
        String head = draw.label();
        String end = draw.label();
        String from =
                place.mask() != null
                        ? draw.uniform()
                        : draw.one(draw.uniform(), "%x" + draw.below(4));
        group.add(
                "and.b32 " + trips + ", " + from + ", 3;",
                "mov.u32 " + counter + ", 0;",
                head + ":");
        group.add(
                "setp.ge.u32 " + done + ", " + counter + ", " + trips + ";",
                "@" + done + " bra " + end + ";");
        group.add(body(place.inLoop()));
        return group.add(
                "add.u32 " + counter + ", " + counter + ", 1;", "bra " + head + ";", end + ":");
    }

    private Node.Group branch(Place place) {
        String bit = draw.temporary();
        String predicate = draw.predicate();
        return arms(
                Node.Group.of(
                        "and.b32 "
                                + bit
                                + ", "
                                + draw.uniform()
                                + ", "
                                + (1 << draw.below(4))
                                + ";",
                        "setp.eq.u32 " + predicate + ", " + bit + ", 0;"),
                predicate,
                place.deeper());
    }

    /** Threads part, by a value of their own, by where they are, or by what should be common. */
    private Node.Group loneBranch(Place place) {
        Node.Group group = Node.Group.of();
        String predicate =
                draw.chance(2) ? statements.condition(group) : straight.condition(group, 1);
        String end = draw.label();
        return arms(group, predicate, place.alone(end)).add(end + ":");
    }

    private Node.Group arms(Node.Group group, String predicate, Place place) {
        String other = draw.label();
        String end = draw.label();
        group.add("@" + draw.one("", "!") + predicate + " bra " + other + ";");
        group.add(body(place));
        if (draw.chance(2)) {
            return group.add(other + ":");
        }
        return group.add("bra " + end + ";", other + ":").add(body(place)).add(end + ":");
    }

    private Node.Group exit() {
        Node.Group group = Node.Group.of();
        String predicate =
                draw.chance(2) ? statements.condition(group) : straight.condition(group, 4);
        return group.add("@" + predicate + draw.one(" exit;", " ret;"));
    }
}
