package facet.ptx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class VerifierTest {
    private static String kernel(String body) {
        return FormExamples.kernel(body);
    }

    private static void verify(String body) {
        Verifier.verify(Parser.parse(kernel(body)));
    }

    private static PtxException refused(String body) {
        return assertThrows(PtxException.class, () -> verify(body), body);
    }

    /** Every form with every suffix; ptxas accepts these, too. */
    @Test
    void examplesOfAllFormsPass() {
        int count = 0;
        for (Form form : InstructionTable.forms()) {
            for (String text : FormExamples.of(form)) {
                // .v8 goes with .b32 only.
                if (text.matches("(ld|st).*\\.v8\\.b8 .*")) {
                    continue;
                }
                try {
                    verify(text);
                } catch (PtxException e) {
                    throw new AssertionError(form.section() + " " + text, e);
                }
                count++;
            }
        }
        assertTrue(count > 2000, "only " + count);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "add.s32 %r1, %u2, 5;",
                "add.f32.rn %r1, %f2, 0f3F800000;",
                "and.b32 %f1, %f2, %u3;",
                "mov.b32 %f1, 0f3F800000;",
                "mov.u16 %h1, %tid.x;",
                "mov.u32 %u1, sv;",
                "mov.u64 %rd1, gv+4;",
                "mov.u64 %rd1, f;",
                "mov.pred %p1, !%p2;",
                "mov.pred %p1, 1;",
                "mov.b64 {%r1, _}, %rd1;",
                "mov.b32 %r1, {0, %h1};",
                "ld.global.u8 %r1, [%rd1];",
                "ld.global.f32 %rd1, [%rd1];",
                "ld.v4.f32 %v1, [%rd1];",
                "ld.shared.u16 %r1, [%r1];",
                "ld.global.v2.u32 {_, %r1}, [%rd1];",
                "st.global.v2.u32 [%rd1], {0, %r1};",
                "st.global.f32 [%rd1], 0f00000000;",
                "cvt.f32.f16 %f1, %hf1;",
                "cvt.u64.u32 %rd1, %tid.x;",
                "setp.eq.u32 _|%p1, %r1, 0;",
                "vote.ballot.sync.b32 %r1, %p1, -1;",
                "atom.global.add.u32 _, [%rd1], 1;",
                "selp.b32 %r1, 1, 2, !%p1;",
                "mov.f32 %f1, %v1.x;",
                "call f, ();",
                "@!%p1 bra L;",
            })
    void accepted(String instruction) {
        verify(instruction);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {
                "add.u32 %f1, %r2, %r3; # INVALID # %f1 (.f32), but .u32 is wanted",
                "add.f32 %u1, %f2, %f3; # INVALID # declare it .f32 or .b32",
                "add.f32 %f1, %f2, 1; # INVALID # write it as 0f",
                "mov.b64 %rd1, 0f3F800000; # INVALID # floating-point constant",
                "add.f16 %hf1, %hf2, 0f3F800000; # INVALID # move it to a register",
                "add.u32 %r1, %tid.x, 1; # INVALID # with mov",
                "add.u64 %rd1, gv, 4; # INVALID # with mov",
                "mov.u64 %rd1, L; # INVALID # label",
                "mov.f32 %f1, %v1; # INVALID # vector register",
                "mov.b64 {%r1, %r2, %r3}, %rd1; # INVALID # 2 or 4",
                "mov.b64 {%h1, %h2}, %rd1; # INVALID # 32 bits",
                "ld.global.u8 %f1, [%rd1]; # INVALID # %f1",
                "ld.global.u32 %r1, [%r1]; # INVALID # .b64 or .u64",
                "ld.shared.u32 %r1, [gv]; # INVALID # accesses .shared",
                "ld.global.v4.u32 {%r1, %r2}, [%rd1]; # INVALID # 4 registers",
                "ld.global.L2::cache_hint.u32 %r1, [%rd1]; # INVALID # has 2 operands",
                "ld.global.v8.f64 {%fd0,%fd1,%fd2,%fd3,%fd0,%fd1,%fd2,%fd3}, [%rd1]; # INVALID #"
                        + " v8",
                "add.sat.u32 %r1, %r2, %r3; # INVALID # nearest",
                "mul.u32 %r1, %r2, %r3; # INVALID # it needs .{lo,hi}",
                "add.u32 %r1, %r2; # INVALID # has 2 operands",
                "fma.f32 %f1, %f2, %f3, %f4; # INVALID # it needs .{rn,rz,rm,rp}",
                "cvt.rs.satfinite.e4m3x4.f32 %r1, {%f1, %f2, %f3, %f4}, %r2; # UNSUPPORTED # e4m3x4",
                "setp.lt.b32 %p1, %r1, %r2; # INVALID # setp",
                "setp.lt.s32 %r1, %r1, %r2; # INVALID # .pred",
                "add.u32 5, %r1, %r2; # INVALID # must be a register",
                "add.u32 _, %r1, %r2; # INVALID # _",
                "lop3.b32 %r1, %r2, %r3, %r4, %r5; # INVALID # integer constant",
                "cp.async.cg.shared.global [%r1], [%rd1], 8; # INVALID # 16 bytes",
                "call k, (out); # INVALID # kernel",
                "call f, (out); # INVALID # has 0 and 0",
                "call missing; # INVALID # not declared",
                "bra nowhere; # INVALID # label",
                "brx.idx %r1, L; # INVALID # .branchtargets",
                "@%r1 ret; # INVALID # .pred",
                "wgmma.fence.sync.aligned; # UNSUPPORTED # several warps",
                "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%r1}, {%r1}, {%r1}, {%r1};"
                        + " # INVALID # 4 registers in braces",
                "mma.sync.aligned.m8n8k128.col.row.s32.b1.b1.s32.and.popc"
                        + " {%r1, %r2}, {%r1}, {%r1}, {%r1, %r2}; # INVALID # .row.col",
                "mma.sp.sync.aligned.m16n8k32.row.col.f16.f16.f16.f16"
                        + " {%r1, %r2}, {%r1, %r2, %r3, %r4}, {%r1, %r2, %r3, %r4}, {%r1, %r2},"
                        + " %r1, 2; # INVALID # 0 to 1",
                "wmma.load.a.sync.aligned.row.m8n8k32.bf16 {%r1}, [%rd1];"
                        + " # INVALID # no form of wmma",
                "tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f1}]; # INVALID # 1 coordinates",
                "tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%rd1, %f2}]; # INVALID # .f32",
                "tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%r1, {%f1, %f2}]; # INVALID # .b64",
                "tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [gv, {%f1, %f2}]; # INVALID # .texref",
                "tex.cube.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%rd1, {%r1,%r1,%r1,%r1}];"
                        + " # INVALID # cube",
                "tex.2dms.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%rd1, {%r1,%r1,%r1,%r1}];"
                        + " # UNSUPPORTED # textures",
                "suld.b.2d.b32.trap %r1, [%rd1, {%f1, %f2}]; # INVALID # .s32",
                "vadd.u32.u32.u32 %r1, %r2, %r3; # UNSUPPORTED # video",
                "X: X: ret; # INVALID # twice",
            })
    void refusedWithAdvice(String instruction, PtxException.Kind kind, String part) {
        PtxException thrown = refused(instruction);
        assertTrue(thrown.getMessage().contains(part), thrown.getMessage());
        assertEquals(kind, thrown.kind(), thrown.getMessage());
    }

    @Test
    void theMessageNamesLineAndColumn() {
        String text = kernel("mul.u32 %r1, %r2, %r3;");
        PtxException thrown =
                assertThrows(PtxException.class, () -> Verifier.verify(Parser.parse(text)));
        String line = text.lines().toList().get(thrown.position().line() - 1);
        assertTrue(line.substring(thrown.position().column() - 1).startsWith("mul.u32"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {
                ".version 8.0 .target foo .address_size 64 # architecture",
                ".version 8.0 .target sm_80, fast .address_size 64 # fast",
                ".version 8.0 .target sm_80 .address_size 32 # -m64",
                ".version 8.0 .target sm_80 .func f() {ret;} .func f() {ret;} # twice",
                ".version 8.0 .target sm_80 .global .u32 x; .global .u32 x; # twice",
                ".version 8.0 .target sm_80 .entry k(.param .b8 a[40000]) {ret;} # pointer",
                ".version 8.0 .target sm_80 .global .align 3 .u32 x; # power of two",
            })
    void moduleRules(String text, String part) {
        PtxException thrown =
                assertThrows(PtxException.class, () -> Verifier.verify(Parser.parse(text)));
        assertTrue(thrown.getMessage().contains(part), thrown.getMessage());
    }
}
