package facet.device.cpu.random;

/** Statements at which all living threads of a block meet. */
final class Barriers {
    private final Draw draw;
    private final Straight straight;
    private final int threads;
    private final boolean exits;
    private final PartBarriers parts;
    private int planes = KernelGenerator.FIRST_SPARE_PLANE;
    private int tickets;

    Barriers(Draw draw, Straight straight, int threads, boolean exits) {
        this.draw = draw;
        this.straight = straight;
        this.threads = threads;
        this.exits = exits;
        this.parts = new PartBarriers(draw, threads, this::barrier);
    }

    Node.Group statement(Place place) {
        boolean wholeWarps = threads % 32 == 0 && !exits;
        return switch (draw.below(wholeWarps && threads > 32 ? 10 : 7)) {
            case 0 -> barrier(Node.Group.of());
            case 1, 2 -> reduction();
            case 3 -> accumulated();
            case 4 ->
                    !exits && place.loops() == 0 && threads <= 100 && tickets < 4
                            ? inOrder()
                            : exchange(place);
            case 7 -> parts.halves();
            case 8 -> parts.producers();
            default -> exchange(place);
        };
    }

    /** Those above are for parts of a block, which may be there while others are here. */
    private int number() {
        return draw.below(10);
    }

    private String count() {
        return !exits && threads % 32 == 0 && draw.chance(3) ? ", " + threads : "";
    }

    private Node.Group barrier(Node.Group group) {
        return group.add(
                draw.one("bar.sync ", "barrier.sync ", "barrier.sync.aligned ")
                        + number()
                        + count()
                        + ";");
    }

    /** What comes out is the same in all threads. */
    private Node.Group reduction() {
        Node.Group group = Node.Group.of();
        String predicate = straight.condition(group, 1 + draw.below(2));
        String all = draw.one("bar", "barrier");
        String operands = ", " + number() + count() + ", " + draw.one("", "!") + predicate + ";";
        String into = draw.uniform();
        if (draw.chance(2)) {
            String number = draw.temporary();
            group.add(all + ".red.popc.u32 " + number + operands);
            return group.add("mad.lo.u32 " + into + ", " + into + ", 5, " + number + ";");
        }
        String result = draw.predicate();
        group.add(all + ".red." + draw.one("and", "or") + ".pred " + result + operands);
        return group.add(
                "@" + result + " add.u32 " + into + ", " + into + ", " + draw.uniform() + ";");
    }

    /** Each thread writes its cell and reads another's. */
    private Node.Group exchange(Place place) {
        boolean fresh = place.loops() == 0 && planes < KernelGenerator.PLANES && draw.chance(2);
        int plane = KernelGenerator.PLANE_BYTES * (fresh ? planes++ : 0);
        Node.Group group = Node.Group.of();
        if (draw.chance(2)) {
            barrier(group);
        }
        group.add("st.shared.u32 [%cell+" + plane + "], " + draw.variable() + ";");
        barrier(group);
        neighbour(group, plane, draw.variable());
        if (draw.chance(3)) {
            neighbour(group, plane, draw.variable());
        }
        return fresh ? group : barrier(group);
    }

    private void neighbour(Node.Group group, int plane, String into) {
        String from = draw.temporary();
        if (draw.chance(2)) {
            group.add("sub.u32 " + from + ", " + (threads - 1) + ", %thread;");
        } else {
            group.add("add.u32 " + from + ", %thread, " + draw.below(threads) + ";");
            group.add("rem.u32 " + from + ", " + from + ", " + threads + ";");
        }
        String address = draw.temporary();
        group.add("mov.u32 " + address + ", cells;");
        group.add("mad.lo.u32 " + address + ", " + from + ", 4, " + address + ";");
        group.add("ld.shared.u32 " + into + ", [" + address + "+" + plane + "];");
    }

    /** What all threads have added, combined or counted in shared memory so far. */
    private Node.Group accumulated() {
        Node.Group group = barrier(Node.Group.of());
        String into = draw.uniform();
        String value = draw.temporary();
        group.add("ld.shared.u32 " + value + ", [sums+" + 4 * draw.below(8) + "];");
        group.add("xor.b32 " + into + ", " + into + ", " + value + ";");
        return barrier(group);
    }

    /** Threads wait for their turn; only a thread that is let run while others spin can go on. */
    private Node.Group inOrder() {
        int at = 8 * tickets++;
        String turn = draw.temporary();
        String sum = draw.temporary();
        String wait = draw.predicate();
        String label = draw.label();
        boolean atomic = draw.chance(2);
        Node.Group group = Node.Group.of(label + ":");
        group.add(
                atomic
                        ? "atom.shared.add.u32 " + turn + ", [turns+" + at + "], 0;"
                        : "ld.volatile.shared.u32 " + turn + ", [turns+" + at + "];",
                "setp.ne.u32 " + wait + ", " + turn + ", %thread;",
                "@" + wait + " bra " + label + ";",
                "ld.volatile.shared.u32 " + sum + ", [turns+" + (at + 4) + "];",
                "mad.lo.u32 " + sum + ", " + sum + ", 31, " + draw.variable() + ";",
                "st.volatile.shared.u32 [turns+" + (at + 4) + "], " + sum + ";",
                "membar.cta;",
                atomic
                        ? "red.shared.add.u32 [turns+" + at + "], 1;"
                        : "add.u32 " + turn + ", " + turn + ", 1;",
                atomic ? "" : "st.volatile.shared.u32 [turns+" + at + "], " + turn + ";");
        barrier(group);
        String into = draw.uniform();
        return group.add("ld.shared.u32 " + into + ", [turns+" + (at + 4) + "];");
    }
}
