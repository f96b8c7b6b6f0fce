package facet.jit;

import facet.jit.emit.Emitter;
import facet.jit.emit.Program;
import facet.jit.pass.InlineCalls;
import facet.jit.runtime.Lanes;
import facet.ptx.Function;
import facet.ptx.Module;
import facet.ptx.Parser;
import facet.ptx.Verifier;

/** A kernel as scalar code and as code for rows. */
record BothForms(CompiledKernel kernel, Emitter.Emitted rows) {
    /**
     * @param text of a module whose first kernel has code for rows
     * @param vectors that a row is long
     */
    static BothForms of(String text, int vectors) {
        Module module = Parser.parse(text);
        Verifier.verify(module);
        Function kernel = module.kernels().getFirst();
        Compiler compiler = new Compiler(module);
        CompiledKernel compiled = compiler.compile(kernel);
        Program program = new Program(Program.globals(module), compiler.graph(), false);
        return new BothForms(
                compiled,
                Emitter.emitRows(
                                program,
                                InlineCalls.inline(compiler.graph(), kernel),
                                vectors * Lanes.COUNT)
                        .orElseThrow());
    }

    Emitter.Emitted scalar() {
        return kernel.scalar();
    }
}
