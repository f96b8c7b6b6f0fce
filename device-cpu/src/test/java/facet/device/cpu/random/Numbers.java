package facet.device.cpu.random;

/** Statements on floats, bounded so that no infinity and no NaN comes up. */
final class Numbers {
    private final Draw draw;

    Numbers(Draw draw) {
        this.draw = draw;
    }

    /** Bounded, so that no infinity and no NaN comes up. */
    Node.Group single() {
        String f = "%f" + draw.below(3);
        String x = draw.temporary();
        String d = draw.variable();
        return Node.Group.of(
                "cvt.s32.s16 " + x + ", " + draw.operand() + ";",
                "cvt.rn.f32.s32 " + f + ", " + x + ";",
                "fma.rn.f32 " + f + ", " + f + ", 0f3EAAAAAB, %f" + draw.below(3) + ";",
                draw.one("add.rn.f32 ", "sub.rn.f32 ", "min.f32 ", "max.f32 ")
                        + f
                        + ", "
                        + f
                        + ", %f"
                        + draw.below(3)
                        + ";",
                "abs.f32 " + f + ", " + f + ";",
                draw.one(
                                "sqrt.rn.f32 " + f + ", " + f,
                                "div.rn.f32 " + f + ", " + f + ", 0f40490FDB")
                        + ";",
                "min.f32 " + f + ", " + f + ", 0f47800000;",
                draw.one(
                                "mov.b32 " + x + ", " + f,
                                "cvt.rni.s32.f32 " + x + ", " + f,
                                "cvt.rzi.u32.f32 " + x + ", " + f)
                        + ";",
                "xor.b32 " + d + ", " + d + ", " + x + ";");
    }

    Node.Group twice() {
        String x = "%d" + draw.below(2);
        String i = draw.temporary();
        String d = draw.variable();
        return Node.Group.of(
                "shr.s32 " + i + ", " + draw.variable() + ", 12;",
                "cvt.rn.f64.s32 " + x + ", " + i + ";",
                "fma.rn.f64 " + x + ", " + x + ", 0d3FD5555555555555, %d" + draw.below(2) + ";",
                draw.one("add", "sub", "mul") + ".rn.f64 " + x + ", " + x + ", 0d3FF3C0CA428C59FB;",
                "max.f64 " + x + ", " + x + ", 0dC130000000000000;",
                "min.f64 " + x + ", " + x + ", 0d4130000000000000;",
                draw.one("cvt.rni.s32.f64 ", "cvt.rmi.s32.f64 ") + i + ", " + x + ";",
                "add.u32 " + d + ", " + d + ", " + i + ";");
    }
}
