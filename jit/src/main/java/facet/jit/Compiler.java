package facet.jit;

import facet.jit.emit.Emitter;
import facet.jit.emit.Program;
import facet.jit.pass.CallGraph;
import facet.jit.pass.ClusterUse;
import facet.jit.pass.InlineCalls;
import facet.jit.pass.Regions;
import facet.jit.runtime.Lanes;
import facet.ptx.Function;
import facet.ptx.Module;
import facet.ptx.PtxException;
import facet.ptx.Variable;
import facet.ptx.flow.Body;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/** From a verified module to kernels that run. */
public final class Compiler {
    private final CallGraph graph;
    private final Map<String, Variable> globals;
    private final KernelSummary.Maker summaries;

    /** Refuses what cannot be compiled, so that a module that loads also runs. */
    public Compiler(Module module) {
        this.graph = new CallGraph(module);
        this.globals = Program.globals(module);
        this.summaries = new KernelSummary.Maker(module, graph);
        for (Function kernel : module.kernels()) {
            InlineCalls.inline(graph, kernel);
        }
    }

    public CallGraph graph() {
        return graph;
    }

    public CompiledKernel compile(Function kernel) {
        Body body = InlineCalls.inline(graph, kernel);
        boolean clusters = ClusterUse.in(graph, kernel);
        int limit = Regions.DEFAULT_LIMIT;
        while (true) {
            Program program = new Program(globals, graph, clusters);
            Emitter.Emitted emitted = Emitter.emit(program, body, Regions.split(body, limit));
            // Estimates of size can be wrong; shorter regions are always possible.
            if (emitted.longest() < Emitter.METHOD_LIMIT || limit < 200) {
                return describe(kernel, program, emitted, lanes -> rows(body, program, lanes));
            }
            limit /= 2;
        }
    }

    /** Without compiling it. */
    public KernelSummary summary(Function kernel) {
        return summaries.of(kernel);
    }

    /** Vector code beside scalar code: it must agree on where module and shared variables are. */
    private Optional<Emitter.Emitted> rows(Body body, Program scalar, int lanes) {
        if (scalar.knowsClusters()) {
            return Optional.empty(); // their shared addresses are not what vector code knows
        }
        Program program = new Program(globals, graph, false);
        Optional<Emitter.Emitted> rows = emitRows(program, body, lanes);
        if (rows.isEmpty() && lanes > Lanes.COUNT) {
            return rows(body, scalar, lanes > Lanes.WIDE ? Lanes.WIDE : Lanes.COUNT);
        }
        return rows.filter(each -> program.agrees(scalar));
    }

    /** Empty also where it is more than a class can hold, which scalar code may not be. */
    private static Optional<Emitter.Emitted> emitRows(Program program, Body body, int lanes) {
        try {
            return Emitter.emitRows(program, body, lanes);
        } catch (PtxException e) {
            if (e.kind() == PtxException.Kind.UNSUPPORTED) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static CompiledKernel describe(
            Function kernel,
            Program program,
            Emitter.Emitted emitted,
            IntFunction<Optional<Emitter.Emitted>> rows) {
        List<CompiledKernel.Parameter> parameters = KernelSummary.parameters(kernel);
        int bytes = parameters.isEmpty() ? 0 : parameters.getLast().end();
        return new CompiledKernel(
                kernel.name(),
                emitted,
                rows,
                program.symbols(),
                parameters,
                bytes,
                program.sharedBytes(),
                program.reservedBytes(),
                program.knowsClusters(),
                program.calls(),
                program.allocates(),
                program.usesRuntime(),
                program.waitsForLaunches());
    }
}
