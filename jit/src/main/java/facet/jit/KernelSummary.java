package facet.jit;

import facet.jit.pass.CallGraph;
import facet.ptx.Declaration;
import facet.ptx.Extent;
import facet.ptx.Function;
import facet.ptx.Instruction;
import facet.ptx.Linkage;
import facet.ptx.Module;
import facet.ptx.Operand;
import facet.ptx.Space;
import facet.ptx.Variable;
import facet.ptx.Work;
import facet.ptx.flow.Body;
import facet.ptx.flow.RegisterPressure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * What a program may ask about a kernel before it is compiled.
 *
 * @param sharedBytes static shared memory of a block
 * @param constantBytes constants of the module that it names, or what it calls
 * @param registers of 32 bits that a thread would have on a GPU, about
 * @param localBytes declared local memory of a thread, that of called functions included
 */
public record KernelSummary(
        List<CompiledKernel.Parameter> parameters,
        int parameterBytes,
        int sharedBytes,
        int constantBytes,
        int localBytes,
        int registers) {

    /** Makes summaries of the kernels of a module; a function is looked at once. One thread. */
    static final class Maker {
        private final CallGraph graph;

        /** Shared variables and constants of the module that functions may name. */
        private final Map<String, Variable> candidates = new LinkedHashMap<>();

        private final Map<String, Needs> needs = new HashMap<>();

        /** What a function alone needs. */
        private record Needs(Map<String, Variable> variables, long local, int registers) {}

        Maker(Module module, CallGraph graph) {
            this.graph = graph;
            for (Declaration each : module.declarations()) {
                if (each instanceof Declaration.Global global
                        && (global.variable().space().isShared()
                                || global.variable().space() == Space.CONST)
                        && global.variable().linkage() != Linkage.EXTERN) {
                    candidates.put(global.variable().name(), global.variable());
                }
            }
        }

        KernelSummary of(Function kernel) {
            List<CompiledKernel.Parameter> parameters = parameters(kernel);
            int parameterBytes = parameters.isEmpty() ? 0 : parameters.getLast().end();
            Map<String, Variable> variables = new LinkedHashMap<>();
            long local = 0;
            int registers = 0;
            for (Function function : graph.reachable(kernel)) {
                Needs own = needs.computeIfAbsent(function.name(), name -> look(function));
                Work.steps(1 + own.variables().size());
                variables.putAll(own.variables());
                local = Extent.sum(local, own.local());
                registers = Math.max(registers, own.registers());
            }
            return new KernelSummary(
                    parameters,
                    parameterBytes,
                    layOut(variables, Space::isShared),
                    layOut(variables, space -> space == Space.CONST),
                    shown(local),
                    registers);
        }

        private Needs look(Function function) {
            Body body = graph.body(function);
            Map<String, Variable> variables = new LinkedHashMap<>();
            long local = 0;
            for (Map.Entry<String, Variable> each : body.variables().entrySet()) {
                if (each.getValue().space().isShared()) {
                    variables.put(function.name() + "/" + each.getKey(), each.getValue());
                } else if (each.getValue().space() == Space.LOCAL) {
                    local = Extent.sum(local, each.getValue().bytes());
                }
            }
            if (!candidates.isEmpty()) {
                Work.steps(body.instructions().size());
                for (Instruction instruction : body.instructions()) {
                    instruction.operands().forEach(each -> note(each, body, candidates, variables));
                }
            }
            return new Needs(variables, local, RegisterPressure.of(body));
        }
    }

    /** Places in the packed arguments, by the alignment of each. */
    static List<CompiledKernel.Parameter> parameters(Function kernel) {
        List<CompiledKernel.Parameter> parameters = new ArrayList<>();
        long end = 0;
        for (Variable parameter : kernel.parameters()) {
            int alignment = parameter.effectiveAlignment();
            // The verifier has seen that all of them together take less than 32 KiB.
            end = Extent.append(end, alignment, parameter.bytes());
            int bytes = (int) parameter.bytes();
            parameters.add(new CompiledKernel.Parameter((int) end - bytes, bytes, alignment));
        }
        return List.copyOf(parameters);
    }

    private static void note(
            Operand operand,
            Body body,
            Map<String, Variable> candidates,
            Map<String, Variable> found) {
        if (operand instanceof Operand.Symbol symbol) {
            Variable variable = candidates.get(symbol.name());
            if (variable != null && !body.variables().containsKey(symbol.name())) {
                found.put(symbol.name(), variable);
            }
        } else {
            operand.parts().forEach(each -> note(each, body, candidates, found));
        }
    }

    private static int layOut(Map<String, Variable> variables, Predicate<Space> wanted) {
        long end = 0;
        for (Variable each : variables.values()) {
            if (wanted.test(each.space())) {
                end = Extent.append(end, Math.max(each.effectiveAlignment(), 1), each.bytes());
            }
        }
        return shown(end);
    }

    /** For people to read: such a kernel will not run, which is said when it is compiled. */
    private static int shown(long bytes) {
        return (int) Math.min(bytes, Integer.MAX_VALUE);
    }
}
