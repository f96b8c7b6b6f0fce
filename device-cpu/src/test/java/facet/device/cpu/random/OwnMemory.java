package facet.device.cpu.random;

/** Statements on memory that no other thread writes. */
final class OwnMemory {
    private final Draw draw;

    OwnMemory(Draw draw) {
        this.draw = draw;
    }

    private String address(Node.Group group, String variable, int cells) {
        String offset = draw.temporary();
        String wide = draw.longTemporary();
        String base = draw.longTemporary();
        group.add("and.b32 " + offset + ", " + draw.operand() + ", " + (cells - 1) + ";");
        group.add("mul.wide.u32 " + wide + ", " + offset + ", 4;");
        group.add("mov.u64 " + base + ", " + variable + ";");
        group.add("add.u64 " + wide + ", " + wide + ", " + base + ";");
        return wide;
    }

    Node.Group local() {
        Node.Group group = Node.Group.of();
        String first = address(group, "scratch", 16);
        String second = address(group, "scratch", 16);
        group.add("st.local.u32 [" + first + "], " + draw.variable() + ";");
        group.add("ld.local.u32 " + draw.variable() + ", [" + second + "];");
        group.add(
                "st.local.v2.u32 [scratch+"
                        + 8 * draw.below(8)
                        + "], {"
                        + draw.variable()
                        + ", "
                        + draw.variable()
                        + "};");
        return group;
    }

    /** A thread's own cells; the first two words are left for the end. */
    Node.Group global() {
        String width = draw.one("u8", "s8", "u16", "s16", "u32");
        return Node.Group.of(
                "st.global."
                        + width
                        + " [%own+"
                        + (8 + 4 * draw.below(6))
                        + "], "
                        + draw.variable()
                        + ";",
                "ld.global."
                        + width
                        + " "
                        + draw.variable()
                        + ", [%own+"
                        + (8 + 4 * draw.below(6))
                        + "];");
    }

    Node.Group input() {
        Node.Group group = Node.Group.of();
        String at = address(group, "%memory", 32);
        group.add("ld.global.u32 " + draw.variable() + ", [" + at + "];");
        group.add(
                "ld.global.v2.u32 {"
                        + draw.variable()
                        + ", "
                        + draw.temporary()
                        + "}, [%memory+"
                        + 8 * draw.below(16)
                        + "];");
        return group;
    }
}
