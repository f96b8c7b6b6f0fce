package facet.ptx.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.ptx.Parser;
import facet.ptx.Register;
import org.junit.jupiter.api.Test;

final class UniformityTest {
    private static final Shape UNIFORM = Shape.UNIFORM;
    private static final Shape VARYING = Shape.VARYING;

    private static ControlFlow flow(String body) {
        String text =
                ".version 8.0 .target sm_80 .address_size 64\n"
                        + ".func (.param .b32 out) g(.param .b32 in) { ret; }\n"
                        + ".const .b32 table[64];\n"
                        + ".visible .entry k(.param .u64 data, .param .u32 n)\n{\n"
                        + ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<20>; .reg .b64 %rd<9>;"
                        + ".reg .f32 %f<9>; .shared .b32 tile[256]; .local .b32 own[4];\n"
                        + body
                        + "\nret;\n}\n";
        return ControlFlow.of(Flatten.flatten(Parser.parse(text).function("k").orElseThrow()));
    }

    private static Shape shape(Uniformity uniformity, ControlFlow flow, String name) {
        for (Register register : flow.body().registers()) {
            if (register.name().equals(name)) {
                return uniformity.shapeOf(register);
            }
        }
        throw new AssertionError(name);
    }

    private static Shape shape(String body, String name) {
        ControlFlow flow = flow(body);
        return shape(Uniformity.of(flow), flow, name);
    }

    private static final String INDEX =
            """
            mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
            mad.lo.s32 %r4, %r1, %r2, %r3;
            """;

    @Test
    void globalIndexAndItsAddress() {
        String body =
                INDEX
                        + "ld.param.u64 %rd1, [data]; cvta.to.global.u64 %rd2, %rd1;"
                        + "mul.wide.s32 %rd3, %r4, 4; add.s64 %rd4, %rd2, %rd3;"
                        + "ld.global.f32 %f1, [%rd4+16]; ld.global.f32 %f2, [%rd2];";
        ControlFlow flow = flow(body);
        Uniformity uniformity = Uniformity.of(flow);
        assertEquals(Shape.affine(1, true), shape(uniformity, flow, "%r4"));
        assertEquals(Shape.affine(4, false), shape(uniformity, flow, "%rd4"));
        assertEquals(UNIFORM, shape(uniformity, flow, "%rd2"));
        assertEquals(VARYING, shape(uniformity, flow, "%f1"));
        assertEquals(VARYING, shape(uniformity, flow, "%f2"), "global memory may change");
        assertEquals(Shape.affine(4, false), uniformity.addressShape(8));
        assertEquals(UNIFORM, uniformity.addressShape(9));
    }

    @Test
    void arithmeticOnStrides() {
        String body =
                INDEX
                        + "shl.b32 %r5, %r4, 2; sub.s32 %r6, 10, %r5; neg.s32 %r7, %r6;"
                        + "sub.s32 %r8, %r5, %r7; mul.lo.s32 %r9, %r4, %r2; and.b32 %r10, %r4, 7;"
                        + "mul.lo.u32 %r11, %r4, 0xFFFFFFFF; not.b32 %r12, %r4;"
                        + "mov.u32 %r13, 12; mul.lo.u32 %r14, %r13, %r4; cvt.u64.u32 %rd1, %r4;"
                        + "cvt.u32.u64 %r15, %rd1; min.s32 %r16, %r1, %r2; cvt.u16.u32 %h1, %r4;";
        assertEquals(Shape.affine(4, true), shape(body, "%r5"));
        assertEquals(Shape.affine(-4, true), shape(body, "%r6"));
        assertEquals(Shape.affine(4, true), shape(body, "%r7"));
        assertEquals(UNIFORM, shape(body, "%r8"));
        assertEquals(VARYING, shape(body, "%r9"));
        assertEquals(VARYING, shape(body, "%r10"));
        assertEquals(Shape.affine(-1, true), shape(body, "%r11"));
        assertEquals(Shape.affine(-1, true), shape(body, "%r12"));
        assertEquals(Shape.affine(12, true), shape(body, "%r14"));
        assertEquals(Shape.affine(1, false), shape(body, "%rd1"));
        assertEquals(Shape.affine(1, false), shape(body, "%r15"));
        assertEquals(UNIFORM, shape(body, "%r16"));
        assertEquals(VARYING, shape(body, "%h1"));
    }

    @Test
    void rowsHaveOneTidY() {
        ControlFlow flow = flow("mov.u32 %r1, %tid.y; add.u32 %r2, %r1, 1;");
        assertEquals(VARYING, shape(Uniformity.of(flow), flow, "%r2"));
        assertEquals(UNIFORM, shape(Uniformity.alongX(flow), flow, "%r2"));
    }

    @Test
    void memoryThatNobodyWrites() {
        String body =
                "ld.param.u32 %r1, [n]; ld.const.b32 %r2, [table+4]; mov.u64 %rd1, table;"
                        + "ld.global.nc.b32 %r3, [%rd1]; ld.shared.b32 %r4, [tile];"
                        + "mov.u64 %rd2, own; mov.u32 %r5, tile; mov.u32 %r6, %laneid;";
        assertEquals(UNIFORM, shape(body, "%r1"));
        assertEquals(UNIFORM, shape(body, "%r2"));
        assertEquals(UNIFORM, shape(body, "%r3"));
        assertEquals(VARYING, shape(body, "%r4"));
        assertEquals(VARYING, shape(body, "%rd2"));
        assertEquals(UNIFORM, shape(body, "%r5"));
        assertEquals(VARYING, shape(body, "%r6"));
    }

    @Test
    void divergentIfMakesTheMergedValueVary() {
        String body =
                INDEX
                        + "ld.param.u32 %r5, [n]; setp.lt.s32 %p1, %r4, %r5; mov.u32 %r6, 1;"
                        + "@%p1 bra THEN; mov.u32 %r6, 2; mov.u32 %r7, 3; add.u32 %r8, %r7, 1;"
                        + "THEN: add.u32 %r9, %r6, 1;";
        assertEquals(VARYING, shape(body, "%r6"));
        assertEquals(VARYING, shape(body, "%r9"));
        assertEquals(UNIFORM, shape(body, "%r8"), "read only where it was written");
        ControlFlow flow = flow(body);
        Uniformity uniformity = Uniformity.of(flow);
        assertTrue(uniformity.divergentBranch(0));
        assertFalse(uniformity.divergent(0));
        assertTrue(uniformity.divergent(1));
        assertFalse(uniformity.divergent(2));
    }

    @Test
    void uniformIfKeepsTheMergedValueUniform() {
        String body =
                "ld.param.u32 %r5, [n]; setp.lt.s32 %p1, %r5, 7; mov.u32 %r6, 1;"
                        + "@%p1 bra THEN; mov.u32 %r6, 2; THEN: add.u32 %r9, %r6, 1;";
        assertEquals(UNIFORM, shape(body, "%r9"));
    }

    @Test
    void meetingBeforeThePostDominatorCounts() {
        // One side may return, so only the exit post dominates the first branch.
        String body =
                INDEX
                        + "setp.lt.s32 %p1, %r4, 5; ld.param.u32 %r5, [n]; setp.eq.s32 %p2, %r5, 0;"
                        + "@%p1 bra X; mov.u32 %r6, 2; bra Z;"
                        + "X: mov.u32 %r6, 1; @%p2 ret; Z: add.u32 %r7, %r6, 1;";
        assertEquals(VARYING, shape(body, "%r7"));
    }

    @Test
    void gridStrideLoopKeepsItsStride() {
        String body =
                INDEX
                        + "ld.param.u32 %r5, [n]; mov.u32 %r6, 0; mov.u32 %r7, 0;"
                        + "LOOP: setp.ge.s32 %p1, %r4, %r5; @%p1 bra DONE;"
                        + "add.s32 %r4, %r4, %r2; add.s32 %r6, %r6, 1; add.s32 %r7, %r7, 1;"
                        + "bra LOOP; DONE: add.s32 %r8, %r6, 1;";
        assertEquals(Shape.affine(1, true), shape(body, "%r4"));
        assertEquals(VARYING, shape(body, "%r8"), "threads leave in different rounds");
        assertEquals(UNIFORM, shape(body, "%r7"), "only read inside");
    }

    @Test
    void guardsSelect() {
        String body =
                INDEX
                        + "setp.lt.s32 %p1, %r4, 5; ld.param.u32 %r5, [n]; setp.lt.s32 %p2, %r5, 5;"
                        + "mov.u32 %r6, 1; @%p1 mov.u32 %r6, 2; mov.u32 %r7, 1;"
                        + "@%p2 mov.u32 %r7, 2; selp.b32 %r8, %r4, %r5, %p2;"
                        + "selp.b32 %r9, 1, 2, %p2; selp.b32 %r10, 1, 2, %p1;";
        assertEquals(VARYING, shape(body, "%r6"));
        assertEquals(UNIFORM, shape(body, "%r7"));
        assertEquals(VARYING, shape(body, "%r8"));
        assertEquals(UNIFORM, shape(body, "%r9"));
        assertEquals(VARYING, shape(body, "%r10"));
    }

    @Test
    void earlyExitLeavesTheRestUniform() {
        String body =
                INDEX
                        + "ld.param.u32 %r5, [n]; setp.ge.s32 %p1, %r4, %r5; mov.u32 %r6, 1;"
                        + "@%p1 ret; add.u32 %r6, %r6, 1; add.u32 %r7, %r6, 1;";
        assertEquals(UNIFORM, shape(body, "%r7"));
    }

    @Test
    void callsAndCarryAndUnwrittenRegisters() {
        String body =
                INDEX
                        + "{ .param .b32 a; .param .b32 b; st.param.b32 [a], 1;"
                        + "call (b), g, (a); ld.param.b32 %r5, [b]; }"
                        + "add.cc.u32 %r6, %r4, 1; addc.u32 %r7, 0, 0; add.u32 %r8, %r19, 1;";
        assertEquals(VARYING, shape(body, "%r5"));
        assertEquals(VARYING, shape(body, "%r7"));
        assertEquals(VARYING, shape(body, "%r8"));
    }
}
