package facet.device.cpu.random;

/** Statements on predicates {@code %q} and 16-bit registers {@code %k} that live on. */
final class Narrow {
    private static final String COMPARE = "eq ne lt le gt ge";

    private final Draw draw;

    Narrow(Draw draw) {
        this.draw = draw;
    }

    /** Gives all of them a value. */
    static String before() {
        return """
        setp.lt.u32 %q0, %thread, 5;
        setp.gt.u32 %q1, %s3, 0;
        setp.ne.u32 %q2, %h, 9;
        cvt.u16.u32 %k0, %h;
        mov.u16 %k1, 77;
        """;
    }

    /** Adds all of them to the hash in {@code %h}. */
    static String after() {
        return """
        @%q0 add.u32 %h, %h, 0x10001;
        @%q1 mad.lo.u32 %h, %h, 3, 1;
        @!%q2 xor.b32 %h, %h, 0x5555;
        mul.wide.u16 %t0, %k0, %k1;
        mad.lo.u32 %h, %h, 31, %t0;
        """;
    }

    private String predicate() {
        return "%q" + draw.below(3);
    }

    private String half() {
        return "%k" + draw.below(2);
    }

    Node.Group statement() {
        String relation = draw.one(COMPARE.split(" "));
        return switch (draw.below(12)) {
            case 0 ->
                    Node.Group.of(
                            "setp."
                                    + relation
                                    + draw.one(".u32 ", ".s32 ")
                                    + predicate()
                                    + ", "
                                    + draw.variable()
                                    + ", "
                                    + draw.operand()
                                    + ";");
            case 1 ->
                    Node.Group.of(
                            "setp."
                                    + relation
                                    + draw.one(".and", ".or", ".xor")
                                    + ".s32 "
                                    + predicate()
                                    + ", "
                                    + draw.variable()
                                    + ", "
                                    + draw.operand()
                                    + ", "
                                    + draw.one("", "!")
                                    + predicate()
                                    + ";");
            case 2 ->
                    Node.Group.of(
                            draw.one("and", "or", "xor")
                                    + ".pred "
                                    + predicate()
                                    + ", "
                                    + predicate()
                                    + ", "
                                    + predicate()
                                    + ";");
            case 3 -> Node.Group.of("not.pred " + predicate() + ", " + predicate() + ";");
            case 4 ->
                    Node.Group.of(
                            "selp.b32 "
                                    + draw.variable()
                                    + ", "
                                    + draw.operand()
                                    + ", "
                                    + draw.operand()
                                    + ", "
                                    + predicate()
                                    + ";");
            case 5 ->
                    Node.Group.of(
                            draw.one("@", "@!")
                                    + predicate()
                                    + " sub.u32 "
                                    + draw.variable()
                                    + ", "
                                    + draw.operand()
                                    + ", "
                                    + draw.variable()
                                    + ";");
            case 6 ->
                    Node.Group.of(
                            "setp."
                                    + relation
                                    + ".f32 "
                                    + predicate()
                                    + ", %f0, %f"
                                    + (1 + draw.below(2))
                                    + ";");
            case 7 -> Node.Group.of("cvt.u16.u32 " + half() + ", " + draw.variable() + ";");
            case 8 ->
                    Node.Group.of(
                            draw.one(
                                            "add.s16 ",
                                            "sub.u16 ",
                                            "mul.lo.u16 ",
                                            "xor.b16 ",
                                            "min.s16 ",
                                            "max.u16 ")
                                    + half()
                                    + ", "
                                    + half()
                                    + ", "
                                    + half()
                                    + ";");
            case 9 ->
                    Node.Group.of(
                            draw.one("cvt.s32.s16 ", "cvt.u32.u16 ")
                                    + draw.variable()
                                    + ", "
                                    + half()
                                    + ";");
            case 10 ->
                    Node.Group.of(
                            "setp."
                                    + relation
                                    + draw.one(".u16 ", ".s16 ")
                                    + predicate()
                                    + ", "
                                    + half()
                                    + ", "
                                    + half()
                                    + ";");
            default ->
                    Node.Group.of(
                            draw.one("mul.wide.u16 ", "mul.wide.s16 ")
                                    + draw.variable()
                                    + ", "
                                    + half()
                                    + ", "
                                    + half()
                                    + ";");
        };
    }
}
