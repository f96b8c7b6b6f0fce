package facet.device.cpu.random;

import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Barriers of some warps of a block. */
final class PartBarriers {
    private final Draw draw;
    private final int threads;

    /** Adds a barrier of the whole block. */
    private final UnaryOperator<Node.Group> all;

    PartBarriers(Draw draw, int threads, UnaryOperator<Node.Group> all) {
        this.draw = draw;
        this.threads = threads;
        this.all = all;
    }

    /** The first warps and the others meet at barriers of their own. */
    Node.Group halves() {
        int first = 32 * (1 + draw.below(threads / 32 - 1));
        return split(
                first,
                group -> group.add("bar.sync 10, " + first + ";"),
                group -> group.add("barrier.sync 11, " + (threads - first) + ";"));
    }

    private Node.Group split(int first, Consumer<Node.Group> one, Consumer<Node.Group> two) {
        String here = draw.predicate();
        String other = draw.label();
        String end = draw.label();
        Node.Group group =
                all.apply(Node.Group.of("st.shared.u32 [%cell], " + draw.variable() + ";"));
        group.add(
                "setp.ge.u32 " + here + ", %thread, " + first + ";",
                "@" + here + " bra " + other + ";");
        ring(group, 0, first, one);
        group.add("bra " + end + ";", other + ":");
        ring(group, first, threads - first, two);
        group.add(end + ":");
        return all.apply(group);
    }

    /** Changes the own cell, meets the others of the part, and reads from the next one's. */
    private void ring(Node.Group group, int start, int size, Consumer<Node.Group> meet) {
        String from = draw.temporary();
        String address = draw.temporary();
        group.add("st.shared.u32 [%cell], " + draw.variable() + ";");
        meet.accept(group);
        group.add("sub.u32 " + from + ", %thread, " + start + ";");
        group.add("add.u32 " + from + ", " + from + ", " + draw.below(size) + ";");
        group.add("rem.u32 " + from + ", " + from + ", " + size + ";");
        group.add("mov.u32 " + address + ", cells;");
        group.add("mad.lo.u32 " + address + ", " + from + ", 4, " + address + ";");
        group.add("ld.shared.u32 " + draw.variable() + ", [" + address + "+" + 4 * start + "];");
        meet.accept(group);
    }

    /** The first warps write and arrive, the others wait and read. */
    Node.Group producers() {
        int first = 32 * (1 + draw.below(threads / 32 - 1));
        String consumer = draw.predicate();
        String other = draw.label();
        String end = draw.label();
        int barrier = 12 + draw.below(4);
        Node.Group group = all.apply(Node.Group.of());
        group.add(
                "setp.ge.u32 " + consumer + ", %thread, " + first + ";",
                "@" + consumer + " bra " + other + ";");
        group.add("st.shared.u32 [%cell], " + draw.variable() + ";");
        group.add("bar.arrive " + barrier + ", " + threads + ";");
        group.add("bra " + end + ";", other + ":", "bar.sync " + barrier + ", " + threads + ";");
        String from = draw.temporary();
        String address = draw.temporary();
        group.add("rem.u32 " + from + ", %thread, " + first + ";");
        group.add("mov.u32 " + address + ", cells;");
        group.add("mad.lo.u32 " + address + ", " + from + ", 4, " + address + ";");
        group.add("ld.shared.u32 " + draw.variable() + ", [" + address + "];", end + ":");
        return all.apply(group);
    }
}
