package facet.jit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.jit.emit.Emitter;
import facet.jit.emit.Program;
import facet.jit.pass.InlineCalls;
import facet.ptx.Function;
import facet.ptx.Module;
import facet.ptx.Parser;
import facet.ptx.Verifier;
import org.junit.jupiter.api.Test;

/** A block of which vector code does one row and the kernel's first code the others. */
final class TrainingTest {
    /** Registers live across barriers, each of which is a site; rows meet in shared memory. */
    private static final String MEETING =
            """
            .version 8.0
            .target sm_75
            .address_size 64
            .visible .entry meeting(.param .u64 cells)
            {
                .reg .pred %p<2>; .reg .b32 %r<9>; .reg .f32 %f<6>; .reg .b64 %rd<4>;
                .shared .align 4 .b8 tile[256];
                ld.param.u64 %rd0, [cells];
                cvta.to.global.u64 %rd0, %rd0;
                mov.u32 %r1, %tid.x;
                mul.wide.s32 %rd1, %r1, 4;
                add.s64 %rd2, %rd0, %rd1;
                ld.global.f32 %f0, [%rd2];
                mul.f32 %f1, %f0, 0f40400000;
                mov.u32 %r2, tile;
                shl.b32 %r3, %r1, 2;
                add.s32 %r2, %r2, %r3;
                mov.u32 %r4, 0;
            AGAIN:
                st.shared.f32 [%r2], %f1;
                bar.sync 0;
                xor.b32 %r5, %r3, 252;
                mov.u32 %r6, tile;
                add.s32 %r6, %r6, %r5;
                ld.shared.f32 %f2, [%r6];
                fma.rn.f32 %f1, %f2, 0f3F000000, %f0;
                fma.rn.f32 %f1, %f1, 0f3F000000, %f0;
                fma.rn.f32 %f1, %f1, 0f3F000000, %f0;
                fma.rn.f32 %f1, %f1, 0f3F000000, %f0;
                fma.rn.f32 %f1, %f1, 0f3F000000, %f0;
                fma.rn.f32 %f1, %f1, 0f3F000000, %f0;
                fma.rn.f32 %f1, %f1, 0f3F000000, %f0;
                fma.rn.f32 %f1, %f1, 0f3F000000, %f0;
                fma.rn.f32 %f1, %f1, 0f3F000000, %f0;
                fma.rn.f32 %f1, %f1, 0f3F000000, %f0;
                fma.rn.f32 %f1, %f1, 0f3F000000, %f0;
                fma.rn.f32 %f1, %f1, 0f3F000000, %f0;
                fma.rn.f32 %f1, %f1, 0f3F000000, %f0;
                bar.sync 1;
                add.s32 %r4, %r4, 1;
                setp.lt.s32 %p0, %r4, 5;
                @%p0 bra AGAIN;
                st.global.f32 [%rd2+8192], %f1;
                ret;
            }
            """;

    /** Rows part behind a store, before a loop: another region, which scalar code does not have. */
    private static final String PARTING =
            """
            .version 8.0
            .target sm_75
            .address_size 64
            .visible .entry parting(.param .u64 cells)
            {
                .reg .pred %p<2>; .reg .b32 %r<9>; .reg .f32 %f<6>; .reg .b64 %rd<4>;
                ld.param.u64 %rd0, [cells];
                cvta.to.global.u64 %rd0, %rd0;
                mov.u32 %r1, %tid.x;
                mul.wide.s32 %rd1, %r1, 4;
                add.s64 %rd2, %rd0, %rd1;
                ld.global.f32 %f0, [%rd2];
                mul.f32 %f1, %f0, 0f40400000;
                mul.f32 %f2, %f1, 0f40400000;
                mul.f32 %f2, %f2, 0f40400000;
                mul.f32 %f2, %f2, 0f40400000;
                mul.f32 %f2, %f2, 0f40400000;
                mul.f32 %f2, %f2, 0f40400000;
                mul.f32 %f2, %f2, 0f40400000;
                mul.f32 %f2, %f2, 0f40400000;
                st.global.f32 [%rd2+4096], %f2;
                setp.gt.s32 %p0, %r1, 5;
                @%p0 bra END;
                mov.u32 %r4, 0;
            AGAIN:
                st.global.f32 [%rd2+8192], %f1;
                add.s32 %r4, %r4, 1;
                setp.lt.s32 %p1, %r4, 3;
                @%p1 bra AGAIN;
            END:
                ret;
            }
            """;

    private record Both(CompiledKernel kernel, Emitter.Emitted rows) {
        static Both of(String ptx) {
            Module module = Parser.parse(ptx);
            Verifier.verify(module);
            Function kernel = module.kernels().getFirst();
            Compiler compiler = new Compiler(module);
            CompiledKernel compiled = compiler.compile(kernel);
            Program program = new Program(Program.globals(module), compiler.graph(), false);
            return new Both(
                    compiled,
                    Emitter.emitRows(program, InlineCalls.inline(compiler.graph(), kernel))
                            .orElseThrow());
        }
    }

    @Test
    void theCodeThatHasRunBeforeDoesTheOtherRows() {
        Both both = Both.of(MEETING);
        assertTrue(both.rows().hasRegionsOf(both.kernel().scalar()));
        assertTrue(both.rows().regions() > 2);
        String expected = OneBlock.run(both.kernel(), both.kernel().scalar());
        assertTrue(expected.startsWith("ended"), expected);
        assertEquals(
                expected,
                OneBlock.run(
                        both.kernel(),
                        both.rows(),
                        runner -> runner.train(true, both.kernel().scalar().code())));
    }

    @Test
    void whereRowsHaveOtherRegionsTheirOwnScalarCodeDoes() {
        Both both = Both.of(PARTING);
        assertFalse(both.rows().hasRegionsOf(both.kernel().scalar()));
        assertEquals(
                OneBlock.run(both.kernel(), both.kernel().scalar()),
                OneBlock.run(both.kernel(), both.rows(), runner -> runner.train(true, null)));
    }
}
