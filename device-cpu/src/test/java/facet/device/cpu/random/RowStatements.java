package facet.device.cpu.random;

/** Straight statements that can be done for a row of threads at once. */
final class RowStatements {
    private static final String[] INTEGER = {
        "add.u32 d, a, b",
        "sub.s32 d, a, b",
        "mul.lo.u32 d, a, b",
        "mad.lo.s32 d, a, b, c",
        "and.b32 d, a, b",
        "or.b32 d, a, b",
        "xor.b32 d, a, b",
        "not.b32 d, a",
        "shl.b32 d, a, k",
        "shr.u32 d, a, k",
        "shr.s32 d, a, k",
        "min.s32 d, a, b",
        "max.s32 d, a, b",
        "neg.s32 d, a",
        "mov.b32 d, a",
        "add.s32 d, a, b",
        "max.u32 d, a, b",
    };

    private static final String[] FLOAT = {
        "fma.rn.f32 d, a, 0f3E800000, b",
        "add.rn.f32 d, a, b",
        "sub.f32 d, a, b",
        "mul.f32 d, a, 0f3EAAAAAB",
        "div.rn.f32 d, a, 0f40490FDB",
        "abs.f32 d, a",
        "neg.f32 d, a",
        "mov.f32 d, a",
        "mov.f32 d, 0f3FC00000",
        "fma.rn.f32 d, a, 0fBE000000, b",
    };

    private final Draw draw;
    private final Lockstep lockstep;
    private final int threads;
    private final int count;

    RowStatements(Draw draw, int threads, int count) {
        this.draw = draw;
        this.threads = threads;
        this.count = count;
        this.lockstep = new Lockstep(draw, count);
    }

    private String single() {
        return "%f" + draw.below(3);
    }

    Node.Group arithmetic() {
        Node.Group group = Node.Group.of();
        for (int i = 0; i <= draw.below(4); i++) {
            String template = draw.one(INTEGER);
            Node.Group one = Node.Group.of();
            String guard = draw.chance(12) ? "@" + condition(one) + " " : "";
            group.add(one.add(guard + fill(template, false)));
        }
        if (draw.chance(4)) {
            String holds = draw.predicate();
            group.add(
                    "setp."
                            + draw.one("lt", "le", "gt", "ge", "eq", "ne")
                            + draw.one(".u32 ", ".s32 ")
                            + holds
                            + ", "
                            + draw.variable()
                            + ", "
                            + draw.operand()
                            + ";",
                    "selp.b32 "
                            + draw.variable()
                            + ", "
                            + draw.operand()
                            + ", "
                            + draw.operand()
                            + ", "
                            + holds
                            + ";");
        }
        return group;
    }

    private String fill(String template, boolean floats) {
        int space = template.indexOf(' ');
        StringBuilder text = new StringBuilder(template.substring(0, space));
        String rest = template.substring(space);
        for (int i = 0; i < rest.length(); i++) {
            char each = rest.charAt(i);
            boolean name = "dabck".indexOf(each) >= 0 && rest.charAt(i - 1) == ' ';
            if (!name) {
                text.append(each);
            } else if (each == 'k') {
                text.append(draw.below(32));
            } else {
                text.append(floats ? single() : each == 'd' ? draw.variable() : draw.operand());
            }
        }
        return text.append(';').toString();
    }

    /** Floats, and their ways to and from integers and predicates. */
    Node.Group number() {
        Node.Group group = Node.Group.of(fill(draw.one(FLOAT), true));
        String value = draw.temporary();
        String holds = draw.predicate();
        return switch (draw.below(5)) {
            case 0 ->
                    group.add(
                            "cvt.rzi.s32.f32 " + value + ", " + single() + ";",
                            "xor.b32 "
                                    + draw.variable()
                                    + ", "
                                    + draw.variable()
                                    + ", "
                                    + value
                                    + ";");
            case 1 ->
                    group.add(
                            "shr.s32 " + value + ", " + draw.variable() + ", 9;",
                            "cvt.rn.f32.s32 " + single() + ", " + value + ";");
            case 2 ->
                    group.add(
                            "setp."
                                    + draw.one("lt", "le", "gt", "ge", "eq", "ne")
                                    + ".f32 "
                                    + holds
                                    + ", "
                                    + single()
                                    + ", "
                                    + single()
                                    + ";",
                            "selp.f32 "
                                    + single()
                                    + ", "
                                    + single()
                                    + ", "
                                    + single()
                                    + ", "
                                    + holds
                                    + ";");
            case 3 -> {
                String f = single();
                yield group.add(
                        "abs.f32 " + f + ", " + f + ";", "sqrt.rn.f32 " + f + ", " + f + ";");
            }
            default -> group.add("mov.b32 " + draw.variable() + ", " + single() + ";");
        };
    }

    Node.Group lockstep() {
        return lockstep.statement();
    }

    String condition(Node.Group group) {
        return new Ramps(draw).condition(group);
    }

    Node.Group access() {
        int plane = 4 * count * draw.below(KernelGenerator.DENSE_PLANES);
        String near = "[%near+" + 4 * draw.below(200) + "]";
        return switch (draw.below(10)) {
            case 8, 9 -> {
                String value = draw.temporary();
                yield Node.Group.of(
                        "ld.global.u32 " + value + ", [%dense+" + plane + "];",
                        "mad.lo.u32 " + value + ", " + value + ", 3, " + draw.variable() + ";",
                        "st.global.u32 [%dense+" + plane + "], " + value + ";");
            }
            case 0, 1 ->
                    Node.Group.of("st.global.u32 [%dense+" + plane + "], " + draw.variable() + ";");
            case 2 -> Node.Group.of("st.global.f32 [%dense+" + plane + "], " + single() + ";");
            case 3 ->
                    Node.Group.of("ld.global.u32 " + draw.variable() + ", [%dense+" + plane + "];");
            case 4 -> Node.Group.of("ld.global.f32 " + single() + ", " + near + ";");
            case 5 -> Node.Group.of("ld.global.nc.u32 " + draw.variable() + ", " + near + ";");
            case 6 ->
                    Node.Group.of("st.global.u32 [%dense+" + plane + "], " + draw.operand() + ";");
            default ->
                    draw.chance(3)
                            ? lockstep.access()
                            : Node.Group.of("ld.global.u32 " + draw.variable() + ", " + near + ";");
        };
    }

    /** Writes a row of shared memory and reads another, beyond the last thread zeros. */
    Node.Group exchange() {
        return Node.Group.of(
                "st.shared.u32 [%cell], " + draw.variable() + ";",
                "bar.sync 0;",
                "ld.shared.u32 " + draw.variable() + ", [%cell+" + 4 * draw.below(threads) + "];",
                "bar.sync 0;");
    }
}
