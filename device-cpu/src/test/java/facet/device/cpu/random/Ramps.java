package facet.device.cpu.random;

/** Values that are common to threads or grow from thread to thread, and tests of them. */
final class Ramps {
    private final Draw draw;

    Ramps(Draw draw) {
        this.draw = draw;
    }

    String common() {
        return draw.chance(3) ? draw.uniform() : "%x" + draw.below(4);
    }

    String growing() {
        return "%a" + draw.below(4);
    }

    /**
     * A value with a stride of its own, perhaps so large that it wraps from one thread to the next.
     */
    String ramp(Node.Group group) {
        String value = draw.temporary();
        int stride = draw.chance(2) ? draw.below(9) - 4 : (1 + draw.below(7)) << draw.below(30);
        String base = draw.chance(2) ? common() : Integer.toString(draw.any());
        group.add(
                "mad.lo.u32 "
                        + value
                        + ", "
                        + draw.one("%thread", "%lane", "%s0")
                        + ", "
                        + stride
                        + ", "
                        + base
                        + ";");
        for (int i = draw.below(3); i > 0; i--) {
            String next = draw.temporary();
            group.add(
                    switch (draw.below(5)) {
                        case 0 -> "shl.b32 " + next + ", " + value + ", " + draw.below(31) + ";";
                        case 1 -> "sub.u32 " + next + ", " + common() + ", " + value + ";";
                        case 2 ->
                                "mul.lo.s32 "
                                        + next
                                        + ", "
                                        + value
                                        + ", "
                                        + (draw.below(1 << 20) - (1 << 19))
                                        + ";";
                        case 3 -> "add.s32 " + next + ", " + value + ", %thread;";
                        default -> "mov.b32 " + next + ", " + value + ";";
                    });
            value = next;
        }
        return value;
    }

    String wideRamp(Node.Group group) {
        String wide = draw.longTemporary();
        String value = ramp(group);
        group.add(
                draw.one(
                                        "mul.wide.u32 W, A, 4",
                                        "mul.wide.s32 W, A, 1000000007",
                                        "cvt.u64.u32 W, A",
                                        "cvt.s64.s32 W, A")
                                .replace("W", wide)
                                .replace("A", value)
                        + ";");
        if (draw.chance(2)) {
            String next = draw.longTemporary();
            group.add(
                    draw.one(
                                            "shl.b64 N, W, 21",
                                            "add.u64 N, W, W",
                                            "mul.lo.u64 N, W, 0x123456789",
                                            "sub.s64 N, 77, W")
                                    .replace("N", next)
                                    .replace("W", wide)
                            + ";");
            return next;
        }
        return wide;
    }

    /** Compares what grows with what is the same: the ends decide, unless it wraps between. */
    String condition(Node.Group group) {
        String predicate = draw.predicate();
        String compare = draw.one("lt", "le", "gt", "ge", "eq", "ne") + draw.one(".u32 ", ".s32 ");
        String with =
                draw.chance(2)
                        ? common()
                        : Integer.toString(draw.chance(2) ? draw.below(100) : draw.any());
        String value = growing();
        switch (draw.below(5)) {
            case 0 -> {
                value = draw.temporary();
                group.add("sub.u32 " + value + ", %thread, " + draw.below(50) + ";");
            }
            case 1 -> {
                value = draw.temporary();
                String edge = draw.one("0x7ffffff5", "0x7fffffd9", "-11", "-40");
                group.add("add.u32 " + value + ", %thread, " + edge + ";");
            }
            case 2 -> value = ramp(group);
            case 3 -> {
                String wide = wideRamp(group);
                String order =
                        draw.one("lt", "le", "gt", "ge", "eq", "ne") + draw.one(".u64 ", ".s64 ");
                group.add(
                        "setp."
                                + order
                                + predicate
                                + ", "
                                + wide
                                + ", "
                                + ((long) draw.below(1 << 30) << draw.below(33))
                                + ";");
                return predicate;
            }
            default -> {}
        }
        group.add("setp." + compare + predicate + ", " + value + ", " + with + ";");
        return predicate;
    }
}
