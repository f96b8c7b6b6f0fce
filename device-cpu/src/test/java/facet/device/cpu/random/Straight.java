package facet.device.cpu.random;

/** Statements without jumps and meetings: arithmetic, own memory, input. */
final class Straight {
    /** Templates: d is a variable, a b c are operands, k a small number, w a 64-bit variable. */
    private static final String[] INTEGER = {
        "add.u32 d, a, b",
        "sub.u32 d, a, b",
        "mul.lo.u32 d, a, b",
        "mul.hi.u32 d, a, b",
        "mul.hi.s32 d, a, b",
        "mad.lo.s32 d, a, b, c",
        "and.b32 d, a, b",
        "or.b32 d, a, b",
        "xor.b32 d, a, b",
        "not.b32 d, a",
        "shl.b32 d, a, k",
        "shr.u32 d, a, k",
        "shr.s32 d, a, k",
        "shl.b32 d, a, b",
        "min.s32 d, a, b",
        "max.u32 d, a, b",
        "min.u32 d, a, b",
        "max.s32 d, a, b",
        "popc.b32 d, a",
        "clz.b32 d, a",
        "brev.b32 d, a",
        "bfe.u32 d, a, k, k",
        "bfe.s32 d, a, k, k",
        "bfi.b32 d, a, b, k, k",
        "lop3.b32 d, a, b, c, 0xk7",
        "shf.l.wrap.b32 d, a, b, c",
        "shf.r.clamp.b32 d, a, b, k",
        "prmt.b32 d, a, b, c",
        "sad.u32 d, a, b, c",
        "abs.s32 d, a",
        "neg.s32 d, a",
        "slct.u32.s32 d, a, b, c",
        "cvt.s32.s8 d, a",
        "cvt.u32.u16 d, a",
        "mov.b32 d, a",
        "cvt.u32.u64 d, w",
        "mul.wide.u32 w, a, b",
        "mul.wide.s32 w, a, b",
        "mad.wide.u32 w, a, b, w",
        "add.u64 w, w, w",
        "xor.b64 w, w, w",
        "shr.u64 w, w, k",
        "shr.s64 w, w, k",
        "sub.s64 w, w, w",
        "cvt.u64.u32 w, a",
        "cvt.s64.s32 w, a",
        "mul.lo.u64 w, w, w",
        "max.s64 w, w, w",
        "min.u64 w, w, w",
        "popc.b64 d, w",
        "clz.b64 d, w",
    };

    private final Draw draw;
    private final Lockstep lockstep;
    private final Narrow narrow;
    private final Numbers numbers;
    private final OwnMemory memory;

    Straight(Draw draw, int count) {
        this.draw = draw;
        this.lockstep = new Lockstep(draw, count);
        this.narrow = new Narrow(draw);
        this.numbers = new Numbers(draw);
        this.memory = new OwnMemory(draw);
    }

    Node.Group statement() {
        return switch (draw.below(17)) {
            case 11, 12 -> narrow.statement();
            case 8, 9 -> lockstep.statement();
            case 10 -> lockstep.access();
            case 0 -> division();
            case 1 -> selection();
            case 2 -> numbers.single();
            case 3 -> numbers.twice();
            case 4 -> memory.local();
            case 5 -> memory.global();
            case 6 -> memory.input();
            case 7 -> carry();
            default -> run(1 + draw.below(6));
        };
    }

    Node.Group run(int length) {
        Node.Group group = Node.Group.of();
        for (int i = 0; i < length; i++) {
            group.add(Node.Group.of(integer()));
        }
        return group;
    }

    private String integer() {
        StringBuilder text = new StringBuilder();
        String template = draw.one(INTEGER);
        int operands = template.indexOf(' ');
        text.append(template, 0, operands);
        for (char each : template.substring(operands).toCharArray()) {
            switch (each) {
                case 'd' -> text.append(draw.variable());
                case 'a', 'b', 'c' -> text.append(draw.operand());
                case 'k' -> text.append(template.contains("0xk") ? draw.below(10) : draw.below(40));
                case 'w' -> text.append(draw.wide());
                default -> text.append(each);
            }
        }
        return text.append(';').toString();
    }

    /** A predicate that differs between threads; it holds for about one in 2^bits. */
    String condition(Node.Group group, int bits) {
        String value = draw.temporary();
        String predicate = draw.predicate();
        if (draw.chance(5)) {
            return new Ramps(draw).condition(group);
        }
        group.add("xor.b32 " + value + ", " + draw.variable() + ", " + draw.variable() + ";");
        group.add("mad.lo.u32 " + value + ", " + value + ", 0x9E3779B1, %thread;");
        group.add("shr.u32 " + value + ", " + value + ", " + (32 - bits) + ";");
        group.add("setp.eq.u32 " + predicate + ", " + value + ", " + draw.below(1 << bits) + ";");
        return predicate;
    }

    private Node.Group division() {
        String divisor = draw.temporary();
        String type = draw.one("u32", "s32");
        return Node.Group.of(
                "and.b32 "
                        + divisor
                        + ", "
                        + draw.operand()
                        + ", "
                        + (draw.chance(2) ? 7 : 0x7fff)
                        + ";",
                "or.b32 " + divisor + ", " + divisor + ", 1;",
                draw.one("div.", "rem.")
                        + type
                        + " "
                        + draw.variable()
                        + ", "
                        + draw.variable()
                        + ", "
                        + divisor
                        + ";");
    }

    private Node.Group selection() {
        String first = draw.predicate();
        String second = draw.predicate();
        String third = draw.predicate();
        String compare = draw.one("eq", "ne", "lt", "le", "gt", "ge");
        return Node.Group.of(
                "setp."
                        + compare
                        + draw.one(".u32 ", ".s32 ")
                        + first
                        + "|"
                        + second
                        + ", "
                        + draw.operand()
                        + ", "
                        + draw.operand()
                        + ";",
                "setp."
                        + compare
                        + draw.one(".and", ".or", ".xor")
                        + ".s32 "
                        + third
                        + ", "
                        + draw.variable()
                        + ", "
                        + draw.operand()
                        + ", "
                        + draw.one("", "!")
                        + second
                        + ";",
                draw.one("and", "or", "xor") + ".pred " + third + ", " + third + ", " + first + ";",
                "selp.b32 "
                        + draw.variable()
                        + ", "
                        + draw.operand()
                        + ", "
                        + draw.operand()
                        + ", "
                        + third
                        + ";",
                draw.one("@", "@!")
                        + first
                        + " add.u32 "
                        + draw.variable()
                        + ", "
                        + draw.operand()
                        + ", 1;");
    }

    private Node.Group carry() {
        String low = draw.temporary();
        String high = draw.variable();
        return Node.Group.of(
                "add.cc.u32 " + low + ", " + draw.operand() + ", " + draw.variable() + ";",
                "addc.cc.u32 " + high + ", " + draw.operand() + ", " + low + ";",
                "addc.u32 " + draw.variable() + ", " + draw.operand() + ", 0;");
    }
}
