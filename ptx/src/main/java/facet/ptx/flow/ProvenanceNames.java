package facet.ptx.flow;

import facet.ptx.Declaration;
import facet.ptx.Function;
import facet.ptx.Instruction;
import facet.ptx.Module;
import facet.ptx.Operand;
import facet.ptx.Variable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the names of variables, parameters and functions stand for. */
final class ProvenanceNames {
    private final Function kernel;
    private final Map<String, Function> functions = new HashMap<>();
    private final Map<String, Provenance> globals = new HashMap<>();

    ProvenanceNames(Module module, Function kernel) {
        this.kernel = kernel;
        for (Declaration each : module.declarations()) {
            switch (each) {
                case Function function -> {
                    functions.merge(function.name(), function, (a, b) -> a.body() != null ? a : b);
                    globals.put(function.name(), Provenance.PIECE);
                }
                case Declaration.Global global -> {
                    String name = global.variable().name();
                    boolean shared = global.variable().space().isShared();
                    globals.put(
                            name,
                            shared
                                    ? Provenance.OWN
                                    : Provenance.of(new Provenance.Root.Global(name)));
                }
                case Declaration.Alias alias ->
                        module.function(alias.target())
                                .ifPresent(target -> functions.put(alias.name(), target));
                case Declaration.File _, Declaration.Section _, Declaration.Pragma _ -> {}
            }
        }
    }

    boolean isKernel(Body body) {
        return body.function().name().equals(kernel.name());
    }

    /** The address of a symbol. */
    Provenance symbol(Body body, String name) {
        Variable variable = body.variables().get(name);
        if (variable == null) {
            int index = parameterIndex(body, name);
            if (index >= 0) {
                return isKernel(body)
                        ? Provenance.of(new Provenance.Root.ParameterSpace(index))
                        : Provenance.UNKNOWN;
            }
            return globals.getOrDefault(name, Provenance.UNKNOWN);
        }
        return switch (variable.space()) {
            case SHARED, SHARED_CTA, SHARED_CLUSTER, LOCAL -> Provenance.OWN;
            case GLOBAL, CONST -> Provenance.of(new Provenance.Root.Global(name));
            default -> Provenance.UNKNOWN;
        };
    }

    /** Which parameter of the function has the name, or -1. */
    static int parameterIndex(Body body, String name) {
        List<Variable> list = body.function().parameters();
        for (int i = 0; i < list.size(); i++) {
            if (list.get(i).name().equals(name)) {
                return i;
            }
        }
        return -1;
    }

    /** The function that is called by name; null for one in a register. */
    @Nullable Function callee(Instruction call) {
        int at = call.operand(0) instanceof Operand.Arguments ? 1 : 0;
        return call.operand(at) instanceof Operand.Symbol symbol
                ? functions.get(symbol.name())
                : null;
    }
}
