package facet.device.cpu.random;

/** Statements at which the threads of a mask meet. */
final class Warps {
    private final Draw draw;
    private final Straight straight;

    Warps(Draw draw, Straight straight) {
        this.draw = draw;
        this.straight = straight;
    }

    Node.Group statement(String mask) {
        return switch (draw.below(8)) {
            case 0 -> vote(mask);
            case 1 -> reduction(mask);
            case 2 -> match(mask);
            case 3 -> exchange(mask);
            case 4 -> Node.Group.of("bar.warp.sync " + mask + ";");
            case 5 -> inBothArms(mask);
            default -> shuffle(Node.Group.of(), mask, draw.one("up", "down", "bfly", "idx"));
        };
    }

    private Node.Group vote(String mask) {
        Node.Group group = Node.Group.of();
        String holds = draw.one("", "!") + straight.condition(group, 1 + draw.below(2));
        if (draw.chance(2)) {
            return group.add(
                    "vote.sync.ballot.b32 " + draw.variable() + ", " + holds + ", " + mask + ";");
        }
        String result = draw.predicate();
        group.add(
                "vote.sync."
                        + draw.one("any", "all", "uni")
                        + ".pred "
                        + result
                        + ", "
                        + holds
                        + ", "
                        + mask
                        + ";");
        return group.add(
                "@" + result + " xor.b32 " + draw.variable() + ", " + draw.operand() + ", 21;");
    }

    private Node.Group reduction(String mask) {
        String operation =
                draw.one(
                        "add.u32", "add.s32", "min.u32", "min.s32", "max.u32", "max.s32", "and.b32",
                        "or.b32", "xor.b32");
        return Node.Group.of(
                "redux.sync."
                        + operation
                        + " "
                        + draw.variable()
                        + ", "
                        + draw.variable()
                        + ", "
                        + mask
                        + ";");
    }

    private Node.Group match(String mask) {
        String key = draw.temporary();
        Node.Group group = Node.Group.of("and.b32 " + key + ", " + draw.variable() + ", 3;");
        if (draw.chance(3)) {
            String all = draw.predicate();
            group.add(
                    "match.all.sync.b32 "
                            + draw.variable()
                            + "|"
                            + all
                            + ", "
                            + key
                            + ", "
                            + mask
                            + ";");
            return group.add(
                    "@!" + all + " add.u32 " + draw.variable() + ", " + draw.operand() + ", 3;");
        }
        if (draw.chance(2)) {
            String wide = draw.longTemporary();
            group.add(
                    "cvt.u64.u32 " + wide + ", " + key + ";",
                    "shl.b64 " + wide + ", " + wide + ", 33;");
            return group.add(
                    "match.any.sync.b64 " + draw.variable() + ", " + wide + ", " + mask + ";");
        }
        return group.add("match.any.sync.b32 " + draw.variable() + ", " + key + ", " + mask + ";");
    }

    /** A lane that is not there gives nothing defined; then the thread's own value is taken. */
    private Node.Group shuffle(Node.Group group, String mask, String mode) {
        String living = draw.temporary();
        String result = draw.temporary();
        String from = draw.temporary();
        String bit = draw.temporary();
        String inside = draw.predicate();
        String absent = draw.predicate();
        String value = draw.chance(5) ? "%f" + draw.below(3) : draw.variable();
        int width = 1 << 2 + draw.below(4);
        int segment = 32 - width << 8;
        String lane = draw.temporary();
        group.add(
                "and.b32 "
                        + lane
                        + ", "
                        + (mode.equals("idx") ? draw.variable() : "" + draw.below(32))
                        + ", 31;");
        group.add("vote.sync.ballot.b32 " + living + ", %true, " + mask + ";");
        int limit = mode.equals("up") ? segment : segment | 31;
        group.add(
                "shfl.sync."
                        + mode
                        + ".b32 "
                        + result
                        + "|"
                        + inside
                        + ", "
                        + value
                        + ", "
                        + lane
                        + ", "
                        + limit
                        + ", "
                        + mask
                        + ";");
        switch (mode) {
            case "up" -> group.add("sub.u32 " + from + ", %lane, " + lane + ";");
            case "down" -> group.add("add.u32 " + from + ", %lane, " + lane + ";");
            case "bfly" -> group.add("xor.b32 " + from + ", %lane, " + lane + ";");
            default ->
                    group.add(
                            "and.b32 " + from + ", " + lane + ", " + (width - 1) + ";",
                            "and.b32 " + bit + ", %lane, " + (32 - width) + ";",
                            "or.b32 " + from + ", " + from + ", " + bit + ";");
        }
        group.add("and.b32 " + from + ", " + from + ", 31;");
        group.add(
                "shr.u32 " + bit + ", " + living + ", " + from + ";",
                "and.b32 " + bit + ", " + bit + ", 1;");
        group.add("setp.eq.and.u32 " + absent + ", " + bit + ", 0, " + inside + ";");
        String into = draw.variable();
        group.add("selp.b32 " + result + ", " + value + ", " + result + ", " + absent + ";");
        group.add("@" + inside + " add.u32 " + result + ", " + result + ", 1;");
        return group.add("mov.b32 " + into + ", " + result + ";");
    }

    /** Through shared memory: everybody of the mask reads the cell of its lowest thread. */
    private Node.Group exchange(String mask) {
        String living = draw.temporary();
        String leader = draw.temporary();
        String address = draw.temporary();
        int plane = KernelGenerator.WARP_PLANE * KernelGenerator.PLANE_BYTES;
        return Node.Group.of(
                "vote.sync.ballot.b32 " + living + ", %true, " + mask + ";",
                "st.shared.u32 [%cell+" + plane + "], " + draw.variable() + ";",
                "bar.warp.sync " + mask + ";",
                "brev.b32 " + leader + ", " + living + ";",
                "clz.b32 " + leader + ", " + leader + ";",
                "sub.u32 " + leader + ", " + leader + ", %lane;",
                "mad.lo.u32 " + address + ", " + leader + ", 4, %cell;",
                "ld.shared.u32 " + draw.variable() + ", [" + address + "+" + plane + "];",
                "bar.warp.sync " + mask + ";");
    }

    /** One meeting, at two instructions. */
    private Node.Group inBothArms(String mask) {
        Node.Group group = Node.Group.of();
        String condition = straight.condition(group, 1);
        String other = draw.label();
        String end = draw.label();
        String mode = draw.one("down", "bfly", "idx");
        group.add("@" + condition + " bra " + other + ";");
        straight.run(draw.below(3)).nodes().forEach(group.nodes()::add);
        shuffle(group, mask, mode);
        group.add("bra " + end + ";", other + ":");
        shuffle(group, mask, mode);
        return group.add(end + ":");
    }
}
