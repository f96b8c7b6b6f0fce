package facet.device.cpu.random;

/** Atomics whose order does not show: the sums are only read when nobody adds. */
final class Sharing {
    /** What each cell of {@code sums} starts with; the operations on a cell are all the same. */
    static final int[] START = {0, Integer.MAX_VALUE, 0, -1, 0, 0, 0, 0};

    private static final String[] OPERATIONS = {
        "add.u32", "min.s32", "max.u32", "and.b32", "or.b32", "xor.b32"
    };

    private final Draw draw;
    private final boolean shared;

    /**
     * @param shared whether there is shared memory
     */
    Sharing(Draw draw, boolean shared) {
        this.draw = draw;
        this.shared = shared;
    }

    Node.Group statement() {
        return switch (draw.below(6)) {
            case 0 -> shared ? swap() : reduction();
            case 1 -> compareAndSwapLoop();
            case 2 -> shared ? lock() : compareAndSwapLoop();
            default -> reduction();
        };
    }

    private Node.Group reduction() {
        int cell = draw.below(OPERATIONS.length);
        String address =
                shared && draw.chance(2)
                        ? "[sums+" + 4 * cell + "], "
                        : "[%memory+" + (256 + 4 * cell) + "], ";
        String space = address.startsWith("[sums") ? "shared." : "global.";
        String value = draw.variable();
        Node.Group group = Node.Group.of();
        if (cell == 3) {
            value = draw.temporary();
            group.add("or.b32 " + value + ", " + draw.variable() + ", 0x7fffff0f;");
        }
        if (draw.chance(2)) {
            return group.add("red." + space + OPERATIONS[cell] + " " + address + value + ";");
        }
        if (draw.chance(4)) {
            return group.add("red.global.add.u64 [%memory+320], " + draw.wide() + ";");
        }
        return group.add(
                "atom."
                        + space
                        + OPERATIONS[cell]
                        + " "
                        + draw.temporary()
                        + ", "
                        + address
                        + value
                        + ";");
    }

    /** On a cell that only this thread uses, so that the result is known. */
    private Node.Group swap() {
        String cell = "[%cell+" + KernelGenerator.OWN_PLANE * KernelGenerator.PLANE_BYTES + "]";
        if (draw.chance(2)) {
            return Node.Group.of(
                    "atom.shared.exch.b32 "
                            + draw.variable()
                            + ", "
                            + cell
                            + ", "
                            + draw.variable()
                            + ";");
        }
        String old = draw.temporary();
        return Node.Group.of(
                "ld.shared.u32 " + old + ", " + cell + ";",
                "atom.shared.cas.b32 "
                        + draw.variable()
                        + ", "
                        + cell
                        + ", "
                        + old
                        + ", "
                        + draw.variable()
                        + ";",
                "atom.shared.cas.b32 "
                        + draw.variable()
                        + ", "
                        + cell
                        + ", "
                        + old
                        + ", "
                        + draw.variable()
                        + ";");
    }

    private Node.Group compareAndSwapLoop() {
        String old = draw.temporary();
        String wanted = draw.temporary();
        String found = draw.temporary();
        String again = draw.predicate();
        String label = draw.label();
        String space = shared ? draw.one("shared", "global") : "global";
        String cell = space.equals("shared") ? "[sums+24]" : "[%memory+280]";
        return Node.Group.of(
                label + ":",
                "ld.volatile." + space + ".u32 " + old + ", " + cell + ";",
                "add.u32 " + wanted + ", " + old + ", " + draw.variable() + ";",
                "atom."
                        + space
                        + ".cas.b32 "
                        + found
                        + ", "
                        + cell
                        + ", "
                        + old
                        + ", "
                        + wanted
                        + ";",
                "setp.ne.u32 " + again + ", " + found + ", " + old + ";",
                "@" + again + " bra " + label + ";");
    }

    private Node.Group lock() {
        String found = draw.temporary();
        String sum = draw.temporary();
        String again = draw.predicate();
        String label = draw.label();
        return Node.Group.of(
                label + ":",
                "atom.shared.cas.b32 " + found + ", [lock], 0, 1;",
                "setp.ne.u32 " + again + ", " + found + ", 0;",
                "@" + again + " bra " + label + ";",
                "ld.volatile.shared.u32 " + sum + ", [sums+28];",
                "add.u32 " + sum + ", " + sum + ", " + draw.variable() + ";",
                "st.volatile.shared.u32 [sums+28], " + sum + ";",
                "membar.cta;",
                "atom.shared.exch.b32 " + found + ", [lock], 0;");
    }
}
