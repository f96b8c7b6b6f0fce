package facet.device.cpu.random;

/**
 * Statements on values that neighbouring threads have in common or that grow from thread to thread,
 * which a compiler may keep once for several threads as long as they go the same way.
 */
final class Lockstep {
    private final Draw draw;
    private final Ramps ramps;

    /** Threads of the grid. */
    private final int count;

    Lockstep(Draw draw, int count) {
        this.draw = draw;
        this.ramps = new Ramps(draw);
        this.count = count;
    }

    /**
     * No statement makes an {@code %x} differ by itself, or changes the stride of an {@code %a}.
     */
    Node.Group statement() {
        String x = "%x" + draw.below(4);
        int number = draw.below(4);
        String a = "%a" + number;
        return switch (draw.below(11)) {
            case 0 ->
                    Node.Group.of(
                            "mad.lo.u32 "
                                    + x
                                    + ", "
                                    + ramps.common()
                                    + ", 5, "
                                    + draw.below(100)
                                    + ";");
            case 1 -> Node.Group.of("add.u32 " + x + ", " + x + ", " + ramps.common() + ";");
            case 2 ->
                    Node.Group.of("ld.global.u32 " + x + ", [%memory+" + 4 * draw.below(64) + "];");
            case 3 ->
                    Node.Group.of(
                            "and.b32 " + x + ", " + ramps.common() + ", " + draw.below(256) + ";");
            case 4, 5 -> Node.Group.of("add.u32 " + a + ", " + a + ", " + ramps.common() + ";");
            case 6 ->
                    Node.Group.of(
                            "mad.lo.u32 "
                                    + a
                                    + ", %thread, "
                                    + (number + 1)
                                    + ", "
                                    + ramps.common()
                                    + ";");
            case 7 -> widened(a);
            case 8 -> {
                Node.Group group = Node.Group.of();
                String wide = draw.chance(2) ? ramps.wideRamp(group) : "%w0";
                yield group.add("xor.b64 %w0, %w0, " + wide + ";")
                        .add(
                                "xor.b32 "
                                        + draw.variable()
                                        + ", "
                                        + draw.variable()
                                        + ", "
                                        + ramps.ramp(group)
                                        + ";");
            }
            default -> {
                Node.Group group = Node.Group.of();
                String holds = ramps.condition(group);
                yield group.add(
                        "selp.b32 "
                                + draw.variable()
                                + ", "
                                + ramps.growing()
                                + ", "
                                + ramps.common()
                                + ", "
                                + holds
                                + ";");
            }
        };
    }

    /** It may wrap in 32 bits, and must not in 64. */
    private Node.Group widened(String a) {
        String wide = draw.longTemporary();
        String operation =
                draw.one(
                        "mul.wide.u32 W, A, 4",
                        "mul.wide.s32 W, A, 12",
                        "cvt.u64.u32 W, A",
                        "cvt.s64.s32 W, A");
        return Node.Group.of(
                operation.replace("W", wide).replace("A", a) + ";",
                "add.u64 %w0, %w0, " + wide + ";",
                "shr.u64 " + wide + ", " + wide + ", 3;",
                "cvt.u32.u64 " + draw.variable() + ", " + wide + ";");
    }

    /** Loads and stores next to those of the neighbour. */
    Node.Group access() {
        return switch (draw.below(4)) {
            case 0 -> {
                int plane = 4 * count * draw.below(KernelGenerator.DENSE_PLANES);
                String type = draw.one("u32 [%dense+P], V", "f32 [%dense+P], F");
                String access = type.replace("P", "" + plane).replace("V", draw.variable());
                yield Node.Group.of("st.global." + access.replace("F", "%f" + draw.below(3)) + ";");
            }
            case 1 ->
                    Node.Group.of(
                            "ld.global.u32 "
                                    + draw.variable()
                                    + ", [%dense+"
                                    + 4 * count * draw.below(KernelGenerator.DENSE_PLANES)
                                    + "];");
            default -> strided();
        };
    }

    /** Reads the table with a small stride, perhaps backwards. */
    private Node.Group strided() {
        String index = draw.temporary();
        String address = draw.longTemporary();
        String type = draw.one("u8", "s8", "u16", "s16", "u32", "f32", "f64", "v2.u32");
        int width =
                type.equals("f64") || type.startsWith("v2")
                        ? 8
                        : type.endsWith("8") ? 1 : type.endsWith("16") ? 2 : 4;
        int stride = draw.below(width == 8 ? 2 : 4);
        boolean back = draw.chance(4);
        String into =
                switch (type) {
                    case "f32" -> "%f" + draw.below(3);
                    case "f64" -> "%d" + draw.below(2);
                    case "v2.u32" -> "{" + draw.variable() + ", " + draw.temporary() + "}";
                    default -> draw.variable();
                };
        return Node.Group.of(
                back
                        ? "sub.u32 " + index + ", 255, %thread;"
                        : "mad.lo.u32 "
                                + index
                                + ", %thread, "
                                + stride
                                + ", "
                                + draw.below(200)
                                + ";",
                "mul.wide.u32 " + address + ", " + index + ", " + width + ";",
                "add.u64 " + address + ", " + address + ", %input;",
                "ld.global." + type + " " + into + ", [" + address + "];");
    }
}
